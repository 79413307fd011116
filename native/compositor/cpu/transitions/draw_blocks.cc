#include <cmath>
#include <cstring>

#include "compositor/cpu/transitions/draw_transition.h"
#include "kernels/blend/blend.h"

// Transitions pixelize and horizontal blur.
namespace framewright {
namespace {

// A fade whose blocks are single samples.
void fadePlane(const TransitionFrame& c, int p) {
  const Plane &frame = c.frame.plane(p), &to = c.to->plane(p);
  for (int y = 0; y < frame.height; ++y) {
    uint8_t* const row = rowOf(frame, y);
    kernels::lerpRow(row, row, rowOf(to, y), static_cast<size_t>(frame.width), toWeight(c.progress));
  }
}

void pixelizePlane(const TransitionFrame& c, int p, double size) {
  const Plane &frame = c.frame.plane(p), &to = c.to->plane(p);
  const int pixelsPerSample = p == 0 ? 1 : 2;
  const Blocks across{size, c.frame.width(), pixelsPerSample};
  const Blocks down{size, c.frame.height(), pixelsPerSample};
  const auto count = static_cast<size_t>(frame.width);
  std::vector<int32_t>& columns = c.buffers.columns;
  columns.resize(count);
  for (size_t x = 0; x < count; ++x) columns[x] = across.middle(across.blockOf(static_cast<int>(x)));
  std::vector<uint8_t>&row = c.buffers.rows[0], &next = c.buffers.rows[1];
  row.resize(count);
  next.resize(count);
  for (int y = 0, block = -1; y < frame.height; ++y) {
    if (down.blockOf(y) != block) {
      block = down.blockOf(y);
      // Rows above y have been overwritten.
      const int source = std::max(y, down.middle(block));
      const uint8_t *a = rowOf(frame, source), *b = rowOf(to, source);
      for (size_t x = 0; x < count; ++x) {
        row[x] = a[columns[x]];
        next[x] = b[columns[x]];
      }
      kernels::lerpRow(row.data(), row.data(), next.data(), count, toWeight(c.progress));
    }
    std::memcpy(rowOf(frame, y), row.data(), count);
  }
}

// Writes the mean of each sample and the `size` - 1 samples after it; fewer at the end of the row.
void blurRow(uint8_t* out, const uint8_t* in, int count, int size) {
  constexpr int kShift = 24;
  uint64_t sum = 0;
  for (int x = 0; x < size; ++x) sum += in[x];
  const uint64_t share = (uint64_t{1} << kShift) / static_cast<uint64_t>(size);
  constexpr uint64_t kHalf = uint64_t{1} << (kShift - 1);
  const int whole = count - size;
  for (int x = 0; x < whole; ++x) {
    out[x] = static_cast<uint8_t>((sum * share + kHalf) >> kShift);
    sum += in[x + size];
    sum -= in[x];
  }
  for (int x = std::max(0, whole); x < count; ++x) {
    const auto left = static_cast<uint64_t>(count - x);
    out[x] = static_cast<uint8_t>((sum + left / 2) / left);
    sum -= in[x];
  }
}

}  // namespace

void pixelize(const TransitionFrame& c) {
  const double size = blockSize(c.progress, c.canvas());
  for (int p = 0; p < 3; ++p) {
    if (size <= 1) {
      fadePlane(c, p);
    } else {
      pixelizePlane(c, p, size);
    }
  }
}

void blurHorizontally(const TransitionFrame& c) {
  for (int p = 0; p < 3; ++p) {
    const Plane &frame = c.frame.plane(p), &to = c.to->plane(p);
    std::vector<uint8_t>& row = c.buffers.rows[0];
    const auto count = static_cast<size_t>(frame.width);
    row.resize(count);
    const int samples = blurredSamples(c.progress, c.frame.width(), groupOfPlane(p), frame.width);
    for (int y = 0; y < frame.height; ++y) {
      kernels::lerpRow(row.data(), rowOf(frame, y), rowOf(to, y), count, toWeight(c.progress));
      blurRow(rowOf(frame, y), row.data(), frame.width, samples);
    }
  }
}

}  // namespace framewright
