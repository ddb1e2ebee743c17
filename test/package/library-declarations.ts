// TypeScript's own declarations, which the programs of several tests share.
import ts from '@typescript/typescript6';

/** The declarations of the language and of browsers by their paths: they are read once. */
const library = new Map<string, ts.SourceFile | undefined>();

/** A compiler's host for these options, whose programs share the declarations of the library. */
export function hostWithLibrary(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const folder = host.getDefaultLibLocation!();
  host.getSourceFile = (path, ...how) => {
    if (!path.startsWith(folder)) return read(path, ...how);
    if (!library.has(path)) library.set(path, read(path, ...how));
    return library.get(path);
  };
  return host;
}
