// A command `mpegpu` for shells whose lines are run by this process, which has the command line loaded already.
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { CLI, runCliHere } from '../cli/run-cli.js';

/**
 * The command. A line with standard input or output in it (`-`), or with variables of the command line before it, runs
 * as users have it, in a process of its own. Any other goes to the server: the folder and the arguments, each with a
 * zero byte behind it, then an empty argument, which ends them. Back come a line with the status and what was printed.
 * Where a page names no number of threads, there is one: a search thread takes as long to start as small clips to be
 * coded, and a comparison starts it for every encode.
 */
const commandFor = (port: number) => `#!/bin/bash
command=$1
shift
case $command in encode|compare) set -- --threads 1 "$@" ;; esac
if [[ " $* " == *' - '* || -n \${MPEGPU_KERNELS-} ]]; then exec "${process.execPath}" "${CLI}" "$command" "$@"; fi
exec 3<>/dev/tcp/127.0.0.1/${port}
printf '%s\\0' "$PWD" "$command" "$@" '' >&3
read -r status <&3
if [ "$status" -eq 0 ]; then cat <&3; else cat <&3 >&2; fi
exit "$status"
`;

/** Writes the command to a file and answers it, one line after the other, until the server is closed. */
export function serveCommand(path: string): Promise<Server> {
  let last: Promise<unknown> = Promise.resolve();
  const server = createServer(socket => {
    let request = '';
    socket.setEncoding('utf8').on('data', text => {
      request += text;
      if (!request.endsWith('\0\0')) return;
      const [cwd = '', ...args] = request.slice(0, -2).split('\0');
      last = last.then(async () => {
        const { status, stdout, stderr } = await runCliHere(args, { cwd });
        socket.end(Buffer.concat([Buffer.from(`${status}\n`), status === 0 ? stdout : Buffer.from(stderr)]));
      });
    });
  });
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => {
      writeFileSync(path, commandFor((server.address() as { port: number }).port));
      chmodSync(path, 0o755);
      resolve(server);
    });
  });
}
