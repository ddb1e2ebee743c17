// Builds the package where npm installs it from a git repository (`npm install git+https://…`): npm runs `prepare`
// there, and `prepack` only for `npm pack` and `npm publish`. In a checkout `npm ci` builds nothing.
// npm marks such an install by this variable (npm/pacote, lib/git.js); it lists the repositories that are under way.
if (process.env._PACOTE_NO_PREPARE_) await import('./build.mjs');
