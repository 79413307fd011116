#include "compositor/vulkan/device/image_cache.h"

#include <algorithm>

#include "compositor/vulkan/device/shared_frame.h"

namespace framewright::gpu {
namespace {

// Halves level - 1 into `level`, which count from levels()[0].
void addHalvings(const DeviceImage& image, int level, FramePlan& plan) {
  const SurfaceLayout &large = image.levels()[static_cast<size_t>(level) - 1],
                      &small = image.levels()[static_cast<size_t>(level)];
  const bool isRgba = image.levels()[0].isRgba;
  const auto chromaSize = [&](size_t at) {
    if (isRgba) return std::pair{image.levels()[at].width, image.levels()[at].height};
    // The CPU image's chroma planes are halved independently; strides and offsets come from the layouts.
    int width = (image.levels()[0].width + 1) / 2, height = (image.levels()[0].height + 1) / 2;
    for (size_t i = 0; i < at; ++i) width = (width + 1) / 2, height = (height + 1) / 2;
    return std::pair{width, height};
  };
  // Pairs instead of structured bindings, which clang cannot capture in lambdas.
  const auto largeChroma = chromaSize(static_cast<size_t>(level) - 1);
  const auto smallChroma = chromaSize(static_cast<size_t>(level));
  const bool isCodes = level == 1 && !isRgba && image.firstFraction() == 0;
  bool waits = true;
  const auto add = [&](uint32_t from, uint32_t fromStride, int fromWidth, int fromHeight, uint32_t to,
                       uint32_t toStride, int width, int height) {
    const auto word = [](int value) { return static_cast<uint32_t>(value); };
    plan.passes.push_back({Shader::halve,
                           {},
                           image.buffer.get(),
                           {},
                           {from, fromStride, word(fromWidth), word(fromHeight), to, toStride, word(width),
                            word(height), isCodes ? 1u : 0u},
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
  if (!isRgba) chroma(large.chromaAlpha, small.chromaAlpha);
}

// Makes the planes of a decoded frame from its rows of NV12 or P010.
void addPlanes(const DeviceImage& image, const SharedFrame& frame, FramePlan& plan) {
  const SurfaceLayout& layout = image.levels()[0];
  Pass pass{Shader::unpack, {image.hasBytes() ? 1u : 0u}, image.buffer.get(), {frame.buffer().get()}};
  for (int p = 0; p < 2; ++p) {
    const DeviceMemory::Rows& rows = frame.rows(p);
    append(pass.push, static_cast<uint32_t>(rows.offset), rows.pitch);
  }
  append(pass.push, layout.y, layout.u, layout.v, layout.lumaStride, layout.chromaStride, word(layout.width),
         word(layout.height));
  pass.groups = groupsFor(layout.width, layout.height);
  pass.groups[2] = 2;
  plan.passes.push_back(std::move(pass));
  if (std::ranges::find(plan.decoded, frame.buffer().get()) == plan.decoded.end())
    plan.decoded.push_back(frame.buffer().get());
}

}  // namespace

Status ImageCache::require(const std::shared_ptr<const DeviceImage>& image, int levels, FramePlan& plan) {
  FW_RETURN_IF_ERROR(image->load());
  if (image->buffer == nullptr) {
    makeRoom(image->bytes());
    FW_ASSIGN_OR_RETURN(image->buffer, pool_.acquire(image->bytes()));
    image->levelsMade = 1;
    images_.push_back(image);
    if (const SharedFrame* const frame = image->frame()) {
      addPlanes(*image, *frame, plan);
    } else {
      plan.uploads.push_back(image.get());
    }
  }
  if (image->lastUsed != frame_) plan.used.push_back(image->buffer);
  image->lastUsed = frame_;
  for (; image->levelsMade < levels; ++image->levelsMade) addHalvings(*image, image->levelsMade, plan);
  return {};
}

void ImageCache::forgetGone() {
  std::erase_if(images_, [](const std::weak_ptr<const DeviceImage>& known) {
    const auto image = known.lock();
    return image == nullptr || image->buffer == nullptr;
  });
}

uint64_t ImageCache::bytes() const {
  uint64_t sum = 0;
  for (const auto& known : images_) {
    if (const auto image = known.lock(); image != nullptr && image->buffer != nullptr)
      sum += image->buffer->size();
  }
  return sum;
}

void ImageCache::makeRoom(uint64_t wanted) {
  forgetGone();
  uint64_t used = bytes();
  while (used + wanted > budget_ || images_.size() >= kMaxImages) {
    std::shared_ptr<const DeviceImage> oldest;
    for (const auto& known : images_) {
      const auto image = known.lock();
      if (image == nullptr || image->buffer == nullptr || image->lastUsed == frame_) continue;
      if (oldest == nullptr || image->lastUsed < oldest->lastUsed) oldest = image;
    }
    if (oldest == nullptr) return;  // all remaining images are needed by this frame
    used -= oldest->buffer->size();
    oldest->buffer.reset();
    oldest->levelsMade = 0;
    ++evictions_;
    forgetGone();
    pool_.trim();
  }
}

}  // namespace framewright::gpu
