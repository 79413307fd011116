#include "compositor/vulkan/passes/grain_buffer.h"

#include "compositor/plan/effects/finish_plan.h"

namespace framewright::gpu {

Result<const vulkan::Buffer*> GrainBuffer::require(int size, FramePlan& plan) {
  if (!tile_ || size_ != size) {
    constexpr int kSide = GrainTile::kSide, kWords = kSide / 4;
    FW_ASSIGN_OR_RETURN(tile_, pool_.acquire(kSide * kSide + kReadBeyond));
    size_ = size;
    const GrainTile& tile = grainTile(size);
    const uint32_t at = plan.tables.size();
    for (size_t i = 0; i < tile.noise.size(); i += 4) {
      uint32_t samples = 0;
      for (size_t k = 4; k-- > 0;) samples = samples << 8 | static_cast<uint8_t>(tile.noise[i + k]);
      plan.tables.push(static_cast<int32_t>(samples));
    }
    Pass store{Shader::store, {}, tile_.get()};
    store.push = {at, word(kWords), word(kSide)};
    store.groups = groupsFor(kWords, kSide);
    plan.passes.push_back(std::move(store));
  }
  plan.used.push_back(tile_);
  return tile_.get();
}

}  // namespace framewright::gpu
