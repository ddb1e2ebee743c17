// Tests whose searches have the same settings, one file after the other on one device: each shader is compiled once.
import './gpu-faults.js';
import './gpu-encode.js';
import './gpu-kept.js';
import './gpu-luma.js';
import './filter/estimator-filter.js';
