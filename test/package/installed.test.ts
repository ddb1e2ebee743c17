// What the installed package is to those who use it: it is packed and unpacked once for all of these tests.
import './package-types.js';
import './bundled-pages.js';
