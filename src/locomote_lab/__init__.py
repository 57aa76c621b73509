"""What judges locomote: validation, test beds, studies and benchmarks. Not part of the wheel."""
