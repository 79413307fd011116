#include <functional>
#include <vector>

#include "compositor/effect_testing.h"

using namespace framewright;

namespace {

// `count` equal steps of a motion from 0 to 1, as the shutter sees them.
std::vector<Affine> stepsOf(int count, const std::function<Affine(double)>& at) {
  std::vector<Affine> motion;
  for (int i = 0; i < count; ++i) motion.push_back(at((i + 0.5) / count));
  return motion;
}

LayerEffects moving(std::vector<Affine> motion) {
  LayerEffects effects;
  effects.motion = std::move(motion);
  return effects;
}

struct Deviation {
  double mean = 0, largest = 0;
};

// Difference of a frame from the mean of the frames that show the layer at each step.
Deviation deviationFrom(const Image& made, const Layer& layer, const std::vector<Affine>& motion,
                        Composing& composing) {
  std::vector<std::shared_ptr<Image>> frames;
  for (const Affine& moved : motion) {
    Layer copy = layer;
    copy.effects.reset();
    copy.toCanvas = moved * layer.toCanvas;
    frames.push_back(composing.compose(made.width(), made.height(), {copy}));
  }
  Deviation deviation;
  double samples = 0;
  for (int p = 0; p < 3; ++p) {
    for (int y = 0; y < made.plane(p).height; ++y) {
      for (int x = 0; x < made.plane(p).width; ++x) {
        double sum = 0;
        for (const auto& frame : frames) sum += sampleAt(*frame, p, x, y);
        const double off = std::abs(sampleAt(made, p, x, y) - sum / static_cast<double>(frames.size()));
        deviation.mean += off;
        deviation.largest = std::max(deviation.largest, off);
        ++samples;
      }
    }
  }
  deviation.mean /= samples;
  return deviation;
}

// Colours without hard edges, transparent at the border.
std::shared_ptr<Image> softImage() {
  return paintRgba(96, 64, [](int x, int y) {
    const auto wave = [](double value) {
      return static_cast<uint8_t>(std::lround(128 + 120 * std::sin(value)));
    };
    const double edge = std::min({x, y, 95 - x, 63 - y}) / 12.0;
    return Color{wave(x / 9.0), wave(y / 7.0), wave((x + y) / 11.0),
                 static_cast<uint8_t>(std::lround(255 * std::clamp(edge, 0.0, 1.0)))};
  });
}

}  // namespace

TEST_CASE("motion blur is the mean of the positions, shifted, turned or scaled") {
  Composing composing;
  const int image = composing.add(*softImage());
  const Layer layer = imageLayer(image, {52, 40, 96, 64});
  const std::vector<std::vector<Affine>> motions = {
      stepsOf(24, [](double t) { return translation(37.3 * t, 0); }),
      stepsOf(17, [](double t) { return translation(-11.7 * t, 20.4 * t); }),
      stepsOf(31,
              [](double t) {
                return translation(100, 72) * rotationDegrees(40 * (t - 0.5)) * translation(-100, -72);
              }),
      stepsOf(20,
              [](double t) {
                return translation(100, 72) * scaling(0.8 + 0.4 * t, 0.8 + 0.4 * t) * translation(-100, -72);
              }),
  };
  for (const auto& motion : motions) {
    const auto made = composing.compose(200, 144, {withEffects(layer, moving(motion), 96, 64)});
    const Deviation deviation = deviationFrom(*made, layer, motion, composing);
    CHECK(deviation.mean < 0.35);
    CHECK(deviation.largest <= 3);
  }
}

TEST_CASE("motion blur of a box is a ramp, and flat areas keep their value") {
  Composing composing;
  const auto motion = stepsOf(40, [](double t) { return translation(40 * (t - 0.5), 0); });
  const Layer box = withEffects(fillLayer(kWhiteColor, {60, 10, 80, 40}), moving(motion), 80, 40);
  const auto frame = composing.compose(200, 60, {box});
  for (int x = 0; x < 200; ++x) {
    const double fromLeft = (x + 0.5 - 40) / 40, fromRight = (160 - x - 0.5) / 40;
    const double share = std::clamp(std::min(fromLeft, fromRight), 0.0, 1.0);
    INFO("x " << x);
    CHECK(std::abs(sampleAt(*frame, 0, x, 30) - (16 + 219 * share)) <= 3.5);
    if (share == 1) CHECK(sampleAt(*frame, 0, x, 30) == 235);
  }
}

TEST_CASE("motion blur reaches beyond the layer, and a window cuts it") {
  Composing composing;
  const auto motion = stepsOf(64, [](double t) { return translation(120 * (t - 0.5), 0); });
  Layer box = withEffects(fillLayer(kWhiteColor, {-50, 0, 40, 40}), moving(motion), 40, 40);
  const auto reached = composing.compose(100, 40, {box});
  CHECK(sampleAt(*reached, 0, 20, 20) > 30);
  box.window = Rect{0, 0, 10, 40};
  const auto cut = composing.compose(100, 40, {box});
  CHECK(sampleAt(*cut, 0, 5, 20) == sampleAt(*reached, 0, 5, 20));
  CHECK(sampleAt(*cut, 0, 20, 20) == 16);
}

TEST_CASE("a revealed part moves with its layer under motion blur") {
  Composing composing;
  const auto motion = stepsOf(40, [](double t) { return translation(40 * (t - 0.5), 0); });
  LayerEffects effects = moving(motion);
  effects.revealed = {0, 0, 0.5, 1};
  const auto frame =
      composing.compose(200, 60, {withEffects(fillLayer(kWhiteColor, {60, 10, 80, 40}), effects, 80, 40)});
  CHECK(std::abs(sampleAt(*frame, 0, 100, 30) - (16 + 219 / 2.0)) <= 4);
  CHECK(sampleAt(*frame, 0, 130, 30) == 16);
}
