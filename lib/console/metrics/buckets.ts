/** Upper bounds of histograms, in seconds. A statement takes a millisecond or a few; a write's answer is awaited for 20 s. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]
