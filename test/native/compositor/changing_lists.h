#pragma once

#include <algorithm>
#include <random>

#include "compositor/compose_testing.h"

// Lists that change little from frame to frame.
namespace framewright {

inline constexpr int kWidth = 203, kHeight = 131;

// Generates lists with all kinds of layers, and lists with small changes.
class ChangingLists {
 public:
  ChangingLists(unsigned seed, int images) : random_(seed), images_(images) {}

  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() % 100001) / 100000;
  }
  int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  bool oneIn(int count) { return below(count) == 0; }

  Layer layer() {
    Layer layer = fillLayer(color(), place(), oneIn(2) ? 1 : between(0, 1));
    const int kind = below(8);
    if (kind > 1) {
      layer.kind = Layer::Kind::kImage;
      layer.image = below(images_);
      if (oneIn(4)) layer.crop = {between(0, 0.4), between(0, 0.4), between(0.2, 0.6), between(0.2, 0.6)};
    } else if (kind == 1) {
      layer.kind = Layer::Kind::kWaveform;
      layer.bars.resize(9);
      for (uint16_t& bar : layer.bars) bar = static_cast<uint16_t>(below(kWaveformSteps + 1));
    }
    if (oneIn(3)) turn(layer);
    if (oneIn(4)) layer.window = Rect{between(-20, 90), between(-20, 60), between(5, 150), between(5, 90)};
    if (oneIn(3)) addEffect(layer);
    return layer;
  }

  std::vector<Layer> layers() {
    std::vector<Layer> layers;
    if (!oneIn(4)) layers.push_back(fillLayer(color(), {0, 0, kWidth, kHeight}));
    for (int i = below(6); i >= 0; --i) layers.push_back(layer());
    if (oneIn(5)) layers.insert(layers.begin(), transition());
    return layers;
  }

  void change(std::vector<Layer>& layers) {
    for (int i = below(3); i >= 0 && !layers.empty(); --i) {
      const auto at = layers.begin() + below(static_cast<int>(layers.size()));
      switch (below(8)) {
        case 0:
          layers.erase(at);
          break;
        case 1:
          layers.insert(at, layer());
          break;
        case 2:
          std::swap(*at, layers.back());
          break;
        case 3:
          at->opacity = between(0, 1);
          break;
        case 4:
          at->progress = between(0, 1);
          break;
        case 5:
          turn(*at);
          break;
        default:
          at->toCanvas.dx += oneIn(2) ? 1 : between(-3, 3);
          at->toCanvas.dy += oneIn(2) ? 0 : between(-3, 3);
      }
    }
  }

 private:
  Color color() {
    const auto byte = [&] { return static_cast<uint8_t>(random_()); };
    return {byte(), byte(), byte(), oneIn(3) ? byte() : uint8_t{255}};
  }
  Rect place() {
    if (oneIn(4)) return {static_cast<double>(below(80)), static_cast<double>(below(60)), 64, 40};
    return {between(-60, 180), between(-60, 120), between(4, 240), between(4, 160)};
  }
  void turn(Layer& layer) {
    layer.toCanvas = translation(90, 60) * rotationDegrees(oneIn(3) ? 90 : between(-180, 180)) *
                     translation(-90, -60) * layer.toCanvas;
  }
  void addEffect(Layer& layer) {
    LayerEffects effects;
    effects.box = layer.toCanvas;
    effects.boxWidth = 100;
    effects.boxHeight = 70;
    switch (below(7)) {
      case 0:
        effects.blur = between(0.3, 8);
        break;
      case 1:
        effects.cornerRadius = between(1, 30);
        break;
      case 2:
        effects.revealed = {between(0, 0.4), oneIn(2) ? 0 : 0.1, between(0.2, 0.6), 0.5};
        break;
      case 3:
        effects.mask = below(images_);
        effects.maskBox = effects.box;
        break;
      case 4:
        effects.correction = Correction{0.1, 1.2, 1, 0.7};
        break;
      default:
        effects.blend = static_cast<BlendMode>(1 + below(12));
    }
    layer.effects = effects;
  }
  Layer transition() {
    static const char* const kStyles[] = {"fade",  "slideleft", "revealup", "zoomin",  "rectcrop",
                                          "hblur", "wipetl",    "dissolve", "squeezeh"};
    auto from = std::make_shared<DrawList>(), to = std::make_shared<DrawList>();
    for (int i = below(3); i >= 0; --i) from->layers.push_back(layer());
    for (int i = below(3); i >= 0; --i) to->layers.push_back(layer());
    Layer made;
    made.kind = Layer::Kind::kTransition;
    made.style = kStyles[below(9)];
    made.progress = between(0, 1);
    made.from = std::move(from);
    made.to = std::move(to);
    return made;
  }

  std::mt19937 random_;
  int images_;
};

}  // namespace framewright
