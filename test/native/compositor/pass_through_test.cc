#include <cstring>

#include "compositor/compose_testing.h"
#include "compositor/deep/deep_compositor.h"
#include "core/planes.h"

namespace framewright {
namespace {

constexpr int kColumns = 66, kRows = 38;

std::shared_ptr<Image> clipFrame(PixelFormat format) {
  auto image = makeImage(format, kColumns, kRows);
  const size_t bytes = format == PixelFormat::kI010 ? 2 : 1;
  for (int p = 0; p < 3; ++p) {
    const Plane& plane = image->plane(p);
    for (int y = 0; y < plane.height; ++y) {
      for (size_t i = 0; i < static_cast<size_t>(plane.width) * bytes; ++i)
        rowOf(plane, y)[i] = static_cast<uint8_t>(bytes == 2 && i % 2 == 1 ? y % 4 : (i * 7 + y) % 256);
    }
  }
  return image;
}

bool hasSameBytes(const Image& a, const Image& b, size_t bytes) {
  for (int p = 0; p < 3; ++p) {
    const Plane &one = a.plane(p), &other = b.plane(p);
    for (int y = 0; y < one.height; ++y)
      if (std::memcmp(rowOf(one, y), rowOf(other, y), static_cast<size_t>(one.width) * bytes) != 0)
        return false;
  }
  return true;
}

DrawList listOf(std::vector<Layer> layers) {
  DrawList list;
  list.layers = std::move(layers);
  return list;
}

void checkPassThrough(Compositor& compositor, PixelFormat format) {
  const auto clip = clipFrame(format);
  const std::vector<PreparedImagePtr> images{compositor.prepareVideoFrame(clip, 0, 0).take()};
  const auto passed = [&](const DrawList& list, int width = kColumns, int height = kRows) {
    return compositor.passThrough(list, images, width, height);
  };
  const Layer whole = imageLayer(0, {0, 0, kColumns, kRows});
  const Layer hidden = fillLayer({200, 30, 40, 255}, {10, 10, 20, 20});
  CHECK(passed(listOf({whole})) == clip);
  CHECK(passed(listOf({hidden, whole})) == clip);
  const auto frame = compositor.createFrame(format, kColumns, kRows).take();
  REQUIRE(compositor.compose(listOf({hidden, whole}), images, *frame).ok());
  CHECK(hasSameBytes(*frame, *clip, format == PixelFormat::kI010 ? 2 : 1));

  const auto changed = [&](const auto& change) {
    Layer layer = whole;
    change(layer);
    return passed(listOf({layer}));
  };
  CHECK(passed(listOf({})) == nullptr);
  CHECK(passed(listOf({whole, hidden})) == nullptr);
  CHECK(passed(listOf({whole}), kColumns + 2, kRows) == nullptr);
  CHECK(changed([](Layer& layer) { layer.opacity = 0.99; }) == nullptr);
  CHECK(changed([](Layer& layer) { layer.effects.emplace(); }) == nullptr);
  CHECK(changed([](Layer& layer) { layer.crop = {0, 0, 0.5, 1}; }) == nullptr);
  CHECK(changed([](Layer& layer) { layer.toCanvas.dx = 0.5; }) == nullptr);
  CHECK(changed([](Layer& layer) { layer.toCanvas.xy = 1; }) == nullptr);
  CHECK(changed([](Layer& layer) { layer.window = Rect{0, 0, 60, 38}; }) == nullptr);
  CHECK(changed([](Layer& layer) { layer.image = 3; }) == nullptr);

  const auto centred = clipFrame(format);
  centred->siting = ChromaSiting::kCenter;
  const std::vector<PreparedImagePtr> others{compositor.prepareVideoFrame(centred, 0, 0).take()};
  CHECK(compositor.passThrough(listOf({whole}), others, kColumns, kRows) == nullptr);
}

TEST_CASE("a clip that fills the canvas is passed through") {
  checkPassThrough(*createCpuCompositor(), PixelFormat::kI420);
  for (const CanvasTransfer transfer : {CanvasTransfer::kSdr, CanvasTransfer::kHlg})
    checkPassThrough(*createDeepCompositor({transfer, false}, false), PixelFormat::kI010);
}

TEST_CASE("clips of other precision and canvases in linear light are drawn") {
  const DrawList list = listOf({imageLayer(0, {0, 0, kColumns, kRows})});
  const auto deep = createDeepCompositor({}, false);
  const std::vector<PreparedImagePtr> eightBits{
      deep->prepareVideoFrame(clipFrame(PixelFormat::kI420), 0, 0).take()};
  CHECK(deep->passThrough(list, eightBits, kColumns, kRows) == nullptr);
  const auto linear = createDeepCompositor({CanvasTransfer::kSdr, true}, false);
  const std::vector<PreparedImagePtr> tenBits{
      linear->prepareVideoFrame(clipFrame(PixelFormat::kI010), 0, 0).take()};
  CHECK(linear->passThrough(list, tenBits, kColumns, kRows) == nullptr);
}

TEST_CASE("what follows a frame that was passed through has the bytes of a whole frame") {
  const auto compositor = createDeepCompositor({}, false);
  const auto clip = clipFrame(PixelFormat::kI010);
  const std::vector<PreparedImagePtr> images{compositor->prepareVideoFrame(clip, 0, 0).take()};
  const Layer whole = imageLayer(0, {0, 0, kColumns, kRows});
  const DrawList before = listOf({whole}),
                 list = listOf({whole, fillLayer({9, 90, 200, 255}, {8, 6, 20, 9})});
  const auto frame = compositor->createFrame(PixelFormat::kI010, kColumns, kRows).take(),
             expected = compositor->createFrame(PixelFormat::kI010, kColumns, kRows).take();
  REQUIRE(compositor->recompose(list, images, {before, images, *clip}, *frame).ok());
  REQUIRE(createDeepCompositor({}, false)->compose(list, images, *expected).ok());
  CHECK(hasSameBytes(*frame, *expected, 2));
}

}  // namespace
}  // namespace framewright
