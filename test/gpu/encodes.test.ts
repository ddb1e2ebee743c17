// Tests whose searches have the same settings, one file after the other on one device: each shader is compiled once.
import './encodes/faults.js';
import './encodes/encode.js';
import './encodes/gpu-luma.js';
