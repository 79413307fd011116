#include "compositor/plan/effects/projection_plan.h"
#include "compositor/vulkan/passes/effect_passes.h"

namespace framewright::gpu {

void EffectPasses::project(const DeviceSurface& projected, const PixelRect& place, const DeviceSurface& flat,
                           const PixelRect& flatPlace, const Homography& toCanvas) {
  for (const PlaneGroup group : kPlaneGroups) {
    const bool isLuma = group == PlaneGroup::kLuma;
    const ProjectionPlan plan(toCanvas, flatPlace, place, group);
    std::vector<int32_t> row(2 * static_cast<size_t>(plan.entries()));
    const uint32_t table = plan_.tables.size();
    for (int y = 0; y <= plan.height(); ++y) {
      plan.writeRow(y, row.data());
      for (const int32_t value : row) plan_.tables.push(value);
    }
    Pass pass{Shader::project, {isLuma ? 0u : 1u}, projected.buffer.get(), {flat.buffer.get()}};
    appendSurface(pass.push, projected.layout);
    appendSurface(pass.push, flat.layout);
    append(pass.push, table, word(plan.entries()), word(plan.across()), word(plan.down()));
    const auto groups = groupsFor(plan.width(), plan.height());
    pass.groups = {groups[0], groups[1], isLuma ? 2u : 3u};
    add(std::move(pass));
  }
}

}  // namespace framewright::gpu
