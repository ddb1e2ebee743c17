// What the installed package is to those who use it: it is packed once for all of these tests.
import './packed-files.js';
import './package-types.js';
import './bundled-pages.js';
