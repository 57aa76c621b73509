// The kernels of trees for GPUs: the same as those of `_kernels`, one thread for a mode, for four numbers of eight
// trees, for a branch. Arrays are contiguous; `long long` is NumPy's int64.

// Exact steps of all modes; see `_kernels/bank.py`.
extern "C" __global__ void advance_bank(
    int trees, int modes, const double* air, const double* shaken, const double* stands, const double* drag,
    const double* inertia, const double* table, const long long* rows, double* amplitudes, double* speeds)
{
    long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= (long long)trees * modes)
        return;
    int k = at / modes, i = at % modes;
    double c = stands[3 * k], s = stands[3 * k + 1], size = stands[3 * k + 2];
    const double *w = air + 3 * k, *a = shaken + 3 * k, *step = table + 4 * modes * rows[k] + i;
    double x = c * w[0] - s * w[2], y = w[1], z = s * w[0] + c * w[2];
    double speed = sqrt(x * x + y * y + z * z);
    double ax = c * a[0] - s * a[2], ay = a[1], az = s * a[0] + c * a[2];
    double rest = speed * (drag[i] * x + drag[modes + i] * y + drag[2 * modes + i] * z)
        - size * (inertia[i] * ax + inertia[modes + i] * ay + inertia[2 * modes + i] * az);
    double off = amplitudes[at] - rest, moving = speeds[at];
    amplitudes[at] = rest + step[0] * off + step[modes] * moving;
    speeds[at] = step[2 * modes] * off + step[3 * modes] * moving;
}

// out (K, C) = start (C) + amounts (M, K) transposed @ shapes (M, C or more); rows are `width` long, C a multiple of 4,
// K one of 8. Each number is summed in one order, so any part of a tree has the same bits as the whole.
extern "C" __global__ void move_nodes(
    int trees, int amounts, int columns, int width, const float* start, const float* q, const float* shapes, float* out)
{
    int column = 4 * (blockIdx.x * blockDim.x + threadIdx.x), first = 8 * blockIdx.y;
    if (column >= columns)
        return;
    float4 here = *(const float4*)(start + column);
    float4 sums[8];
    for (int k = 0; k < 8; k++)
        sums[k] = here;
    for (int i = 0; i < amounts; i++) {
        float4 shape = *(const float4*)(shapes + (long long)i * width + column);
        const float4* eight = (const float4*)(q + (long long)i * trees + first);
        float4 low = eight[0], high = eight[1];
        float share[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
        for (int k = 0; k < 8; k++) {
            sums[k].x += share[k] * shape.x;
            sums[k].y += share[k] * shape.y;
            sums[k].z += share[k] * shape.z;
            sums[k].w += share[k] * shape.w;
        }
    }
    for (int k = 0; k < 8; k++)
        *(float4*)(out + (long long)(first + k) * columns + column) = sums[k];
}

// Branches of a generation side by side, a row of threads for a tree; see `_kernels/lengths.py`. `order` has nodes by
// generations, which begin at `starts`; where `keep` is 0 lengths are as they come.
extern "C" __global__ void follow_parents(
    int trees, int columns, int first, int generations, int keep, const int* order, const int* starts,
    const int* parents, const float* rest, const float* lengths, const float* shares, float* out)
{
    int tree = blockIdx.x * blockDim.y + threadIdx.y;
    if (tree >= trees)
        return;
    float *at = out + (long long)tree * columns, share = shares[tree];
    for (int g = 1; g < generations; g++) {
        for (int i = starts[g] + threadIdx.x; i < starts[g + 1]; i += blockDim.x) {
            int n = order[i], m = 3 * n, p = 3 * parents[n];
            float own = n < first ? 1.0f : share, px = at[p], py = at[p + 1], pz = at[p + 2];
            float x = own * (at[m] - px) + (1.0f - own) * (rest[m] - rest[p]);
            float y = own * (at[m + 1] - py) + (1.0f - own) * (rest[m + 1] - rest[p + 1]);
            float z = own * (at[m + 2] - pz) + (1.0f - own) * (rest[m + 2] - rest[p + 2]);
            float longer = keep ? lengths[n] / sqrtf(x * x + y * y + z * z + 1e-20f) : 1.0f;
            at[m] = px + longer * x;
            at[m + 1] = py + longer * y;
            at[m + 2] = pz + longer * z;
        }
        __syncwarp();
    }
}
