#include "compositor/cpu/transition_blocks.h"

#include <cmath>
#include <cstring>

#include "compositor/cpu/transition_color.h"
#include "kernels/blend.h"

namespace framewright {
namespace {

void pixelizePlane(const Crossing& c, int p, double size) {
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
      // Rows above y are drawn already.
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

// Means of `size` samples from each on, of fewer at the end.
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

int Blocks::blockOf(int sample) const { return static_cast<int>(sample * pixelsPerSample / size); }

int Blocks::middle(int block) const {
  return static_cast<int>(std::min((block + 0.5) * size, pixels - 1.0)) / pixelsPerSample;
}

double blockSize(double progress, const CanvasSize& canvas) {
  // Sizes go in steps, so that blocks stay a while.
  constexpr double kSteps = 50;
  const double steps = std::ceil(std::min(progress, 1 - progress) * kSteps);
  return steps / kSteps * std::min(canvas.width, canvas.height) / 10;
}

void pixelize(const Crossing& c) {
  const double size = blockSize(c.progress, c.canvas());
  if (size <= 1) return fade(c);
  for (int p = 0; p < 3; ++p) pixelizePlane(c, p, size);
}

int smearedSamples(double progress, int canvasWidth, PlaneGroup group, int planeWidth) {
  const double strength = 2 * std::min(progress, 1 - progress);
  const int half = canvasWidth / 2;
  const int size = 1 + static_cast<int>(half * strength);
  return std::clamp(group == PlaneGroup::kLuma ? size : (size + 1) / 2, 1, planeWidth);
}

void blurAcross(const Crossing& c) {
  for (int p = 0; p < 3; ++p) {
    const Plane &frame = c.frame.plane(p), &to = c.to->plane(p);
    std::vector<uint8_t>& row = c.buffers.rows[0];
    const auto count = static_cast<size_t>(frame.width);
    row.resize(count);
    const int samples = smearedSamples(c.progress, c.frame.width(),
                                       p == 0 ? PlaneGroup::kLuma : PlaneGroup::kChroma, frame.width);
    for (int y = 0; y < frame.height; ++y) {
      kernels::lerpRow(row.data(), rowOf(frame, y), rowOf(to, y), count, toWeight(c.progress));
      blurRow(rowOf(frame, y), row.data(), frame.width, samples);
    }
  }
}

}  // namespace framewright
