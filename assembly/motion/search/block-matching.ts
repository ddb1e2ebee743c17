// The block-matching searches, a row of blocks at a time.
import { SearchJob } from '../../generated/records';
import { eliminate } from './elimination';
import { exhaust } from './exhaustive';
import { columns, openBlock, openJob, openJobWithBounds } from './open-block';
import { descend, descendFromNeighbours } from './descent';
import { searchKept } from './neighbourhoods';
import { clearRanking, writeRanking } from './ranking';

// @ts-ignore: decorator
@inline
function begin(job: SearchJob, column: i32, row: i32): void {
  openBlock(job, column, row);
  clearRanking(job.candidates);
}

export function searchExhaustively(job: SearchJob, row: i32): void {
  openJobWithBounds(job);
  for (let column = 0; column < columns; column++) {
    begin(job, column, row);
    exhaust(job);
    writeRanking(job);
  }
}

export function searchByElimination(job: SearchJob, row: i32): void {
  openJobWithBounds(job);
  for (let column = 0; column < columns; column++) {
    begin(job, column, row);
    eliminate(job);
    writeRanking(job);
  }
}

export function searchNeighbourhoods(job: SearchJob, row: i32): void {
  openJob(job);
  for (let column = 0; column < columns; column++) {
    begin(job, column, row);
    searchKept(job);
    writeRanking(job);
  }
}

export function searchLogarithmically(job: SearchJob, row: i32): void {
  openJob(job);
  const range = max(max(job.rangeX, job.rangeY), 1);
  let firstStep = 1;
  while (firstStep * 2 < range) firstStep *= 2;
  for (let column = 0; column < columns; column++) {
    begin(job, column, row);
    descend(firstStep);
    writeRanking(job);
  }
}

export function searchPredictively(job: SearchJob, row: i32): void {
  openJob(job);
  const firstStep = job.radius;
  for (let column = 0; column < columns; column++) {
    begin(job, column, row);
    descendFromNeighbours(job, column, row, firstStep);
    writeRanking(job);
  }
}
