// Builds the package where npm installs it from a git repository; in a checkout `npm ci` builds nothing.
// For such an install npm runs `prepare`, and not `prepack`, which is for `npm pack` and `npm publish`. It marks it by
// this variable (npm/pacote, lib/git.js), which lists the repositories that are under way.
if (process.env._PACOTE_NO_PREPARE_) await import('./build.mjs');
