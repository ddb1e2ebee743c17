// Runs programs one after the other, so that node and the library start once. It ends when all of them have ended.
process.on('message', async ({ path, folder }) => {
  process.chdir(folder);
  let printed = '';
  const { write } = process.stdout;
  process.stdout.write = text => {
    printed += text;
    return true;
  };
  let failure;
  try {
    await import(path);
  } catch (error) {
    failure = String(error?.stack ?? error);
  }
  process.stdout.write = write;
  process.send({ printed, failure });
});
