// Vite's options for this page: what it builds works in any folder of a server.
export default { base: './' };
