// Lists the files that tell the Vulkan loader of the drivers of this machine.

/** What this needs of Node; absent in a browser, in part in older versions. */
export interface DriverFilesHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly getBuiltinModule?: (name: 'node:fs') => { readdirSync(folder: string): string[] } | undefined;
}

/** How driver files are named, where not by the vendor that WebGPU names. */
const FILE_WORDS: Readonly<Record<string, string>> = { amd: 'radeon', mesa: 'lvp', google: 'swiftshader' };

/** The driver files that the loader reads, or as many as this can list; those whose name fits `vendor` first. */
export function driverFiles(host: DriverFilesHost, vendor: string): string[] {
  const { env } = host;
  const chosen = absolutePaths(env['VK_DRIVER_FILES'] || env['VK_ICD_FILENAMES']);
  const files = chosen.length > 0 ? chosen : [...searched(host), ...absolutePaths(env['VK_ADD_DRIVER_FILES'])];
  const word = FILE_WORDS[vendor] ?? vendor;
  const isLikely = (file: string) => word !== '' && file.slice(file.lastIndexOf('/')).includes(word);
  return [...files.filter(isLikely), ...files.filter(file => !isLikely(file))];
}

/** The files in the folders that the loader searches, in its order. */
function searched({ env, getBuiltinModule }: DriverFilesHost): string[] {
  const home = env['HOME'] ?? '';
  const folders = [
    ...absolutePaths(env['XDG_CONFIG_HOME'] || `${home}/.config`),
    ...absolutePaths(env['XDG_CONFIG_DIRS'] || '/etc/xdg'),
    '/etc',
    ...absolutePaths(env['XDG_DATA_HOME'] || `${home}/.local/share`),
    ...absolutePaths(env['XDG_DATA_DIRS'] || '/usr/local/share:/usr/share'),
  ].map(folder => `${folder}/vulkan/icd.d`);
  const fs = getBuiltinModule?.('node:fs');
  return [...new Set(folders)].flatMap(folder => {
    try {
      const names = fs?.readdirSync(folder) ?? [];
      return names.filter(name => name.endsWith('.json')).map(name => `${folder}/${name}`);
    } catch {
      return []; // most of the folders do not exist
    }
  });
}

function absolutePaths(list: string | undefined): string[] {
  return (list ?? '').split(':').filter(path => path.startsWith('/'));
}
