#include "compositor/vulkan/resident_pictures.h"

#include <algorithm>

namespace framewright::gpu {
namespace {

void addHalvings(const DevicePicture& picture, int level, FramePlan& plan) {
  const SurfaceLayout &large = picture.levels()[static_cast<size_t>(level) - 1],
                      &small = picture.levels()[static_cast<size_t>(level)];
  const auto chromaSize = [&](size_t at) {
    // Chroma planes of the CPU's picture halve on their own; the layouts' strides and offsets say where.
    int width = (picture.levels()[0].width + 1) / 2, height = (picture.levels()[0].height + 1) / 2;
    for (size_t i = 0; i < at; ++i) width = (width + 1) / 2, height = (height + 1) / 2;
    return std::pair{width, height};
  };
  // Pairs and no names for their halves, which clang does not let a lambda have.
  const auto largeChroma = chromaSize(static_cast<size_t>(level) - 1);
  const auto smallChroma = chromaSize(static_cast<size_t>(level));
  bool waits = true;
  const auto add = [&](uint32_t from, uint32_t fromStride, int fromWidth, int fromHeight, uint32_t to,
                       uint32_t toStride, int width, int height) {
    const auto word = [](int value) { return static_cast<uint32_t>(value); };
    plan.passes.push_back(
        {Shader::halve,
         {},
         picture.buffer.get(),
         {},
         {from, fromStride, word(fromWidth), word(fromHeight), to, toStride, word(width), word(height)},
         groupsFor(width, height),
         waits});
    waits = false;
  };
  const auto luma = [&](uint32_t from, uint32_t to) {
    add(from, large.lumaStride, large.width, large.height, to, small.lumaStride, small.width, small.height);
  };
  const auto chroma = [&](uint32_t from, uint32_t to) {
    add(from, large.chromaStride, largeChroma.first, largeChroma.second, to, small.chromaStride,
        smallChroma.first, smallChroma.second);
  };
  luma(large.y, small.y);
  chroma(large.u, small.u);
  chroma(large.v, small.v);
  if (!large.hasAlpha) return;
  luma(large.alpha, small.alpha);
  chroma(large.chromaAlpha, small.chromaAlpha);
}

}  // namespace

Status ResidentPictures::require(const std::shared_ptr<const DevicePicture>& picture, int levels,
                                 FramePlan& plan) {
  if (picture->buffer == nullptr) {
    makeRoom(picture->bytes());
    FW_ASSIGN_OR_RETURN(picture->buffer, pool_.acquire(picture->bytes()));
    picture->levelsMade = 1;
    pictures_.push_back(picture);
    plan.uploads.push_back(picture.get());
  }
  if (picture->lastUsed != frame_) plan.used.push_back(picture->buffer);
  picture->lastUsed = frame_;
  for (; picture->levelsMade < levels; ++picture->levelsMade)
    addHalvings(*picture, picture->levelsMade, plan);
  return {};
}

void ResidentPictures::forgetGone() {
  std::erase_if(pictures_, [](const std::weak_ptr<const DevicePicture>& known) {
    const auto picture = known.lock();
    return picture == nullptr || picture->buffer == nullptr;
  });
}

uint64_t ResidentPictures::bytes() const {
  uint64_t sum = 0;
  for (const auto& known : pictures_) {
    if (const auto picture = known.lock(); picture != nullptr && picture->buffer != nullptr)
      sum += picture->buffer->size();
  }
  return sum;
}

void ResidentPictures::makeRoom(uint64_t wanted) {
  forgetGone();
  uint64_t held = bytes();
  while (held + wanted > budget_ || pictures_.size() >= kMostPictures) {
    std::shared_ptr<const DevicePicture> oldest;
    for (const auto& known : pictures_) {
      const auto picture = known.lock();
      if (picture == nullptr || picture->buffer == nullptr || picture->lastUsed == frame_) continue;
      if (oldest == nullptr || picture->lastUsed < oldest->lastUsed) oldest = picture;
    }
    if (oldest == nullptr) return;  // what this frame draws must be there at once
    held -= oldest->buffer->size();
    oldest->buffer.reset();
    oldest->levelsMade = 0;
    ++evictions_;
    forgetGone();
    pool_.trim();
  }
}

}  // namespace framewright::gpu
