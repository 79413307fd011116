#include "compositor/plan/effects/difference_plan.h"
#include "compositor/plan/effects/key_ramp.h"
#include "compositor/vulkan/passes/effect_passes.h"

// The chroma key, as cpu/effects/key/chroma_key.cc and cpu/effects/difference_keyer.cc.
namespace framewright::gpu {

Status EffectPasses::key(const DeviceSurface& surface, const ChromaKey& key) {
  const SurfaceLayout& layout = surface.layout;
  FW_ASSIGN_OR_RETURN(const Straight straight,
                      straighten(surface, 0, 0, layout.chromaWidth(), layout.chromaHeight()));
  if (isColourful(key)) return keyDifference(surface, key, straight);
  const kernels::KeyRamp ramp = keyRampOf(key);
  const uint32_t at = plan_.tables.size();
  for (const float value : {ramp.y, ramp.u, ramp.v, ramp.lumaShare, ramp.inner, ramp.outer})
    plan_.tables.pushFloat(value);
  Pass weigh{Shader::hide_keyed, {}, nullptr, {straight.buffer.get(), surface.buffer.get()}};
  appendSurface(weigh.push, layout);
  append(weigh.push, straight.start, straight.rows, word(straight.width), word(straight.height), at,
         weightStride(layout));
  return hide(surface, std::move(weigh));
}

Status EffectPasses::keyDifference(const DeviceSurface& surface, const ChromaKey& key,
                                   const Straight& straight) {
  const SurfaceLayout& layout = surface.layout;
  const DifferencePlan difference = planDifferenceKey(key);
  const kernels::DifferenceKey& k = difference.key;
  const ScreenGrid grid = screenGrid(straight.width, straight.height);
  const uint32_t at = plan_.tables.size();
  for (const float value : {k.luma, k.u, k.v, k.unitU, k.unitV, k.perChroma, k.wedge, k.low, k.steepness,
                            k.choke, k.chokeScale, k.despill, difference.minLevel})
    plan_.tables.pushFloat(value);
  for (const int value : {grid.block, grid.columns, grid.rows}) plan_.tables.push(value);
  plan_.tables.pushFloat(1.0f / static_cast<float>(grid.block));
  const uint64_t bytes = uint64_t{4} * word(grid.columns * grid.rows);
  FW_ASSIGN_OR_RETURN(const auto blocks, scratch(2 * bytes));
  FW_ASSIGN_OR_RETURN(const auto levels, scratch(bytes));
  const auto pushChroma = [&](Pass& pass) {
    append(pass.push, straight.start, straight.rows, word(straight.width), word(straight.height), at);
  };
  Pass measure{Shader::screen_blocks, {}, blocks.get(), {straight.buffer.get(), surface.buffer.get()}};
  pushChroma(measure);
  appendSurface(measure.push, layout);
  measure.groups = {word(grid.columns), word(grid.rows), 1};
  add(std::move(measure));
  Pass spread{Shader::screen_levels, {}, levels.get(), {blocks.get()}};
  append(spread.push, at);
  add(std::move(spread));
  for (const uint32_t group : {0u, 1u}) {
    Pass pass{Shader::key_color, {group}, surface.buffer.get(), {straight.buffer.get(), levels.get()}};
    appendSurface(pass.push, layout);
    pushChroma(pass);
    append(pass.push, k.showsMatte ? 1u : k.showsSpill ? 2u : 0u);
    pass.groups = group == 0 ? groupsFor(layout.width, layout.height)
                             : groupsFor(layout.chromaWidth(), layout.chromaHeight());
    add(std::move(pass));
  }
  if (k.showsMatte || k.showsSpill) return {};
  Pass weigh{Shader::hide_screen, {}, nullptr, {straight.buffer.get(), levels.get()}};
  pushChroma(weigh);
  append(weigh.push, word(layout.width), word(layout.height), weightStride(layout));
  return hide(surface, std::move(weigh));
}

}  // namespace framewright::gpu
