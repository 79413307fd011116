#include "compositor/plan/effects/finish_plan.h"
#include "compositor/vulkan/passes/effect_passes.h"

// Sharpening, vignette and grain, as cpu/effects/finish_effects.cc.
namespace framewright::gpu {

Status EffectPasses::sharpen(const DeviceSurface& surface, double amount) {
  const SurfaceLayout& layout = surface.layout;
  FW_ASSIGN_OR_RETURN(const auto copy, scratch(uint64_t{layout.lumaStride} * word(layout.height)));
  for (const uint32_t stage : {0u, 1u}) {
    Pass pass{Shader::sharpen, {stage}};
    pass.target = stage == 0 ? copy.get() : surface.buffer.get();
    pass.sources = {stage == 0 ? surface.buffer.get() : copy.get()};
    appendSurface(pass.push, layout);
    append(pass.push, word(sharpenStrength(amount)));
    pass.groups = groupsFor(layout.width, layout.height);
    add(std::move(pass));
  }
  return {};
}

void EffectPasses::darkenCorners(const DeviceSurface& surface, const Vignette& vignette, const Affine& box) {
  const SurfaceLayout& layout = surface.layout;
  for (const PlaneGroup group : kPlaneGroups) {
    const bool isLuma = group == PlaneGroup::kLuma;
    const VignettePlan vignettePlan = planVignette(vignette, box, group);
    const uint32_t table = plan_.tables.size();
    for (const int32_t value : vignettePlan.table) plan_.tables.push(value);
    Pass pass{Shader::vignette, {}, surface.buffer.get()};
    appendSurface(pass.push, layout);
    const VignettePlan& p = vignettePlan;
    append(pass.push, table, p.xx, p.xy, p.x0, p.yx, p.yy, p.y0, isLuma ? 0u : 1u);
    const auto groups = isLuma ? groupsFor(layout.width, layout.height)
                               : groupsFor(layout.chromaWidth(), layout.chromaHeight());
    pass.groups = {groups[0], groups[1], isLuma ? 1u : 2u};
    add(std::move(pass));
  }
}

void EffectPasses::addGrain(const DeviceSurface& surface, const vulkan::Buffer& tile,
                            const LayerEffects& effects, int left, int top) {
  const SurfaceLayout& layout = surface.layout;
  const GrainPlan grain = planGrain(effects, left, top);
  Pass pass{Shader::grain, {}, surface.buffer.get(), {&tile}};
  appendSurface(pass.push, layout);
  append(pass.push, word(grain.x), word(grain.y), word(grain.strength));
  pass.groups = groupsFor(layout.width, layout.height);
  add(std::move(pass));
}

}  // namespace framewright::gpu
