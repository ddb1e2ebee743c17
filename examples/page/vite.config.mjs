// Vite's options for this page: mpegpu's worker is a module that loads others.
export default { base: './', worker: { format: 'es' } };
