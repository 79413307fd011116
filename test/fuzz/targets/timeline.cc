#include "timeline/timeline.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "compositor/compositor.h"
#include "core/image.h"
#include "targets.h"
#include "timeline/draw_list.h"

namespace framewright::fuzz {
namespace {

// Larger canvases only take time.
constexpr int kMaxPixels = 160 * 120;
constexpr size_t kMaxLayers = 40;

std::vector<PreparedImagePtr> prepareImages(const DrawList& list, Compositor& compositor) {
  std::vector<PreparedImagePtr> images;
  for (size_t i = 0; i < list.images.size(); ++i) {
    auto image = Image::create(PixelFormat::kRgbaStraight, 12, 7);
    if (!image.ok()) return {};
    const Plane& plane = image.value()->plane(0);
    for (int y = 0; y < plane.height; ++y) {
      for (int x = 0; x < plane.width; ++x)
        plane.data[y * plane.stride + x] = static_cast<uint8_t>(x * 37 + y);
    }
    auto prepared = compositor.prepareStill(*image.value(), 40, 30);
    if (!prepared.ok()) return {};
    images.push_back(prepared.take());
  }
  return images;
}

void composeFrame(const Timeline& timeline, int64_t at, Compositor& compositor, Image& frame) {
  const DrawList list = drawListAt(timeline, at);
  if (!(list == drawListAt(timeline, at))) __builtin_trap();
  if (list.layers.size() > kMaxLayers) return;
  const std::vector<PreparedImagePtr> images = prepareImages(list, compositor);
  if (images.size() == list.images.size()) static_cast<void>(compositor.compose(list, images, frame));
}

}  // namespace

void timeline(std::span<const uint8_t> bytes) {
  auto parsed = parseTimeline({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!parsed.ok()) return;
  const Timeline& timeline = parsed.value();
  static_cast<void>(largestDrawnSizes(timeline));
  static_cast<void>(sampleAtFrame(timeline, timeline.frames));
  if (int64_t{timeline.width} * timeline.height > kMaxPixels) return;
  auto frame = Image::create(PixelFormat::kI420, timeline.width, timeline.height);
  if (!frame.ok()) return;
  const auto compositor = createCpuCompositor();
  const std::set<int64_t> moments = {0, 1, timeline.frames / 2, timeline.frames - 1};
  for (const int64_t at : moments) {
    if (at < timeline.frames) composeFrame(timeline, at, *compositor, *frame.value());
  }
}

}  // namespace framewright::fuzz
