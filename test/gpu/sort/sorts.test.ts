// Tests that sort on the GPU, one file after the other on one device: each shader of the sort is compiled once.
import './gpu-sorter.js';
import './gpu-snow.js';
