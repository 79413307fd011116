#include "compositor/cpu/transitions/draw_transition.h"
#include "compositor/cpu/transitions/overlay_rows.h"
#include "kernels/blend/blend.h"

namespace framewright {
namespace {

const uint16_t* patternRow(const TransitionFrame& c, int y) {
  return c.buffers.pattern.data() + static_cast<size_t>(y) * static_cast<size_t>(c.frame.width());
}

// Weights of a luma row; an odd row is extended by a sample.
void lookUp(uint16_t* weights, const std::vector<uint16_t>& weightOf, const uint16_t* steps, int width) {
  for (int x = 0; x < width; ++x) weights[x] = weightOf[steps[x]];
  if (width % 2 == 1) weights[width] = weights[width - 1];
}

// Composites the new side and then the light over a row.
struct LitRow {
  const TransitionFrame& c;
  const LightTables& light;

  // `steps` has the pattern of every sample, `scale` values apart.
  void draw(int plane, int y, const uint16_t* toWeights, const uint16_t* lightWeights, const uint16_t* steps,
            int scale) const {
    const Plane& to = c.frame.plane(plane);
    const auto count = static_cast<size_t>(to.width);
    uint8_t* const row = rowOf(to, y);
    kernels::overRowMasked(row, rowOf(c.to->plane(plane), y), nullptr, toWeights, count, c.rounding(y));
    const std::vector<uint8_t>& colors = light.colors[plane];
    uint8_t* const colored = c.buffers.rows[0].data();
    for (size_t x = 0; x < count; ++x) colored[x] = colors[steps[x * static_cast<size_t>(scale)]];
    kernels::overRowMasked(row, colored, nullptr, lightWeights, count, c.rounding(y));
  }
};

}  // namespace

void drawLight(const TransitionFrame& c, const TransitionLight& light) {
  fitPattern(c, light.pattern);
  const Plane &luma = c.frame.plane(0), &chroma = c.frame.plane(1);
  const auto even = static_cast<size_t>(luma.width + luma.width % 2);
  std::vector<uint16_t>&to = c.buffers.weights[0], &lit = c.buffers.weights[1],
  &halved = c.buffers.weights[2];
  to.resize(2 * even);
  lit.resize(2 * even);
  halved.resize(2 * static_cast<size_t>(chroma.width));
  c.buffers.rows[0].resize(static_cast<size_t>(luma.width));
  const LitRow rows{c, light.tables};
  for (int y = 0; y < chroma.height; ++y) {
    const int count = std::min(2, luma.height - 2 * y);
    for (int i = 0; i < count; ++i) {
      const uint16_t* const steps = patternRow(c, 2 * y + i);
      uint16_t *const toRow = to.data() + static_cast<size_t>(i) * even, *const litRow =
                                                                             lit.data() +
                                                                             static_cast<size_t>(i) * even;
      lookUp(toRow, light.tables.toWeights, steps, luma.width);
      lookUp(litRow, light.tables.lightWeights, steps, luma.width);
      rows.draw(0, 2 * y + i, toRow, litRow, steps, 1);
    }
    const size_t last = static_cast<size_t>(count - 1) * even;
    uint16_t* const litHalved = halved.data() + chroma.width;
    halveWeights(halved.data(), to.data(), to.data() + last, chroma.width);
    halveWeights(litHalved, lit.data(), lit.data() + last, chroma.width);
    for (int p = 1; p < 3; ++p) rows.draw(p, y, halved.data(), litHalved, patternRow(c, 2 * y), 2);
  }
}

}  // namespace framewright
