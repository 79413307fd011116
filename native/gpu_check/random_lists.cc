#include "gpu_check/random_lists.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "compositor/plan/effects/grade_table.h"
#include "compositor/plan/transitions/transition_styles.h"

namespace framewright {
namespace {

// splitmix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 1) {}

  uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  int below(int count) { return static_cast<int>(next() % static_cast<uint64_t>(count)); }
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(next() >> 11) / static_cast<double>(1ULL << 53);
  }
  bool chance(double share) { return between(0, 1) < share; }
  uint8_t byte() { return static_cast<uint8_t>(next()); }

 private:
  uint64_t state_;
};

Color randomColor(Random& random) {
  return {random.byte(), random.byte(), random.byte(), random.chance(0.6) ? uint8_t{255} : random.byte()};
}

// Contains smooth shapes, hard edges and noise.
std::shared_ptr<Image> randomImage(Random& random, bool isVideo) {
  const int width = 1 + random.below(isVideo ? 150 : 260), height = 1 + random.below(isVideo ? 120 : 200);
  const PixelFormat format = isVideo              ? PixelFormat::kI420
                             : random.chance(0.5) ? PixelFormat::kRgbaStraight
                                                  : PixelFormat::kRgbaPremultiplied;
  auto made = Image::create(format, width, height);
  if (!made.ok()) return nullptr;
  std::shared_ptr<Image> image = made.take();
  if (isVideo && random.chance(0.3)) image->siting = ChromaSiting::kCenter;
  const double frequency = random.between(0.02, 0.6), phase = random.between(0, 6),
               noise = random.between(0, 60);
  const int edge = 4 + random.below(40);
  const bool isOpaque = random.chance(0.4);
  const auto value = [&](int x, int y, int channel) {
    const double wave = 110 * std::sin(frequency * (x + 0.7 * y * (channel + 1)) + phase + channel);
    const double hard = (x / edge + y / edge) % 2 == 0 ? 40 : -40;
    return static_cast<uint8_t>(std::clamp(128 + wave + hard + random.between(-noise, noise), 0.0, 255.0));
  };
  for (int p = 0; p < image->planeCount(); ++p) {
    const Plane& plane = image->plane(p);
    for (int y = 0; y < plane.height; ++y) {
      uint8_t* const row = plane.data + y * plane.stride;
      for (int x = 0; x < plane.width; ++x) {
        if (isVideo) {
          row[x] = static_cast<uint8_t>(16 + value(x, y, p) * 219 / 255);
          continue;
        }
        const uint8_t alpha = isOpaque ? 255 : value(x, y, 3);
        for (int c = 0; c < 3; ++c) {
          const int v = value(x, y, c);
          row[4 * x + c] =
              static_cast<uint8_t>(format == PixelFormat::kRgbaPremultiplied ? v * alpha / 255 : v);
        }
        row[4 * x + 3] = alpha;
      }
    }
  }
  return image;
}

// A color table as a video frame: random 4x4x4 vertices with interpolated ones between.
ImagePtr randomGrade(Random& random) {
  constexpr int kSide = kernels::ColorLut::kSide, kCoarse = 4;
  std::vector<double> coarse;
  for (int i = 0; i < kCoarse * kCoarse * kCoarse * 3; ++i) coarse.push_back(random.between(0, 65535));
  std::vector<uint16_t> rgb;
  rgb.reserve(static_cast<size_t>(kernels::ColorLut::kVertices) * 3);
  const auto near = [](int i) { return i * (kCoarse - 1) / (kSide - 1); };
  for (int r = 0; r < kSide; ++r) {
    for (int g = 0; g < kSide; ++g) {
      for (int b = 0; b < kSide; ++b) {
        const int at = ((near(r) * kCoarse + near(g)) * kCoarse + near(b)) * 3;
        const double share = (r + g + b) / (3.0 * (kSide - 1));
        for (int c = 0; c < 3; ++c)
          rgb.push_back(static_cast<uint16_t>(coarse[static_cast<size_t>(at + c)] * (0.4 + 0.6 * share)));
      }
    }
  }
  auto table = gradeTableImage(rgb);
  return table.ok() ? table.take() : nullptr;
}

Affine randomPlacement(Random& random, int width, int height) {
  const double across = random.chance(0.3) ? width : random.between(2, 1.6 * width);
  const double along = random.chance(0.3) ? height : random.between(2, 1.6 * height);
  double x = random.between(-0.4 * width, 0.9 * width), y = random.between(-0.4 * height, 0.9 * height);
  if (random.chance(0.35)) x = std::round(x), y = std::round(y);
  if (random.chance(0.15)) x = y = 0;
  const Affine scaled{across, 0, x, 0, along, y};
  Affine placement = scaled;
  if (random.chance(0.35)) {
    const double angle = random.chance(0.2) ? 90.0 * random.below(4) : random.between(0, 360);
    placement = translation(x + across / 2, y + along / 2) * rotationDegrees(angle) *
                translation(-x - across / 2, -y - along / 2) * scaled;
  }
  if (random.chance(0.15)) placement = placement * Affine{-1, 0, 1, 0, 1, 0};
  return placement;
}

class CaseBuilder {
 public:
  CaseBuilder(uint64_t seed, const ListKinds& kinds) : random_(seed), kinds_(kinds) {}

  RandomCase build() {
    makeImages();
    fillList(case_.list, 0);
    return std::move(case_);
  }

  RandomCase build(std::string_view style, double progress) {
    makeImages();
    Layer blended = transition(0);
    blended.style = style;
    blended.progress = progress;
    auto from = std::make_shared<DrawList>(*blended.from), to = std::make_shared<DrawList>(*blended.to);
    for (DrawList* const side : {from.get(), to.get()}) {
      side->layers.insert(side->layers.begin(), background());
      for (int i = 0; i < 2; ++i) side->layers.push_back(layer());
    }
    blended.from = std::move(from);
    blended.to = std::move(to);
    case_.list.layers = {blended, layer()};
    return std::move(case_);
  }

 private:
  void makeImages() {
    case_.width = 16 + random_.below(120);
    case_.height = 16 + random_.below(90);
    case_.list.isDithered = random_.chance(0.5);
    const int images = 1 + random_.below(random_.chance(0.05) ? 24 : 5);
    for (int i = 0; i < images; ++i) {
      case_.isVideo.push_back(random_.chance(0.35));
      case_.images.push_back(randomImage(random_, case_.isVideo.back()));
      case_.list.images.push_back({i});
    }
    if (!kinds_.effects || !random_.chance(0.3)) return;
    grade_ = images;
    case_.grade = randomGrade(random_);
    case_.list.images.push_back({images});
  }

  // An image on the whole canvas, so that both sides of a transition cover it.
  Layer background() {
    Layer layer;
    layer.kind = Layer::Kind::kImage;
    layer.image = random_.below(static_cast<int>(case_.images.size()));
    layer.toCanvas = scaling(case_.width, case_.height);
    return layer;
  }

  void fillList(DrawList& list, int depth) {
    if (kinds_.transitions && depth < 2 && random_.chance(0.3)) list.layers.push_back(transition(depth));
    const int layers = random_.below(random_.chance(0.1) ? 30 : 6);
    for (int i = 0; i < layers; ++i) list.layers.push_back(layer());
  }

  Layer transition(int depth) {
    const std::span<const TransitionStyle> styles = transitionStyles();
    Layer layer;
    layer.kind = Layer::Kind::kTransition;
    layer.style = styles[static_cast<size_t>(random_.below(static_cast<int>(styles.size())))].name;
    layer.progress = random_.chance(0.05) ? random_.below(2) : random_.between(0, 1);
    layer.image = random_.below(static_cast<int>(case_.images.size()));
    layer.wipe = {random_.chance(0.3) ? 0 : random_.between(0, 1), random_.chance(0.5)};
    auto from = std::make_shared<DrawList>(), to = std::make_shared<DrawList>();
    fillList(*from, depth + 1);
    fillList(*to, depth + 1);
    layer.from = std::move(from);
    layer.to = std::move(to);
    return layer;
  }

  // `depth`: of groups around it.
  Layer layer(int depth = 0) {
    Layer layer;
    layer.toCanvas = randomPlacement(random_, case_.width, case_.height);
    layer.opacity = random_.chance(0.6) ? 1 : random_.between(0, 1);
    if (random_.chance(0.2)) {
      layer.window = Rect{random_.between(-10, 0.7 * case_.width), random_.between(-10, 0.7 * case_.height),
                          random_.between(1, case_.width), random_.between(1, case_.height)};
    }
    const int kind = random_.below(10);
    if (kind < 2) {
      layer.fill = randomColor(random_);
    } else if (kind == 2) {
      layer.kind = Layer::Kind::kWaveform;
      layer.fill = randomColor(random_);
      layer.bars.resize(static_cast<size_t>(1 + random_.below(30)));
      layer.waveform = static_cast<WaveformStyle>(random_.below(5));
      for (uint16_t& bar : layer.bars) bar = static_cast<uint16_t>(random_.below(4097));
    } else {
      layer.kind = Layer::Kind::kImage;
      layer.image = random_.below(static_cast<int>(case_.images.size()));
      if (random_.chance(0.3)) {
        layer.crop = {random_.between(0, 0.5), random_.between(0, 0.5), random_.between(0.1, 0.5),
                      random_.between(0.1, 0.5)};
      }
    }
    if (kinds_.effects && random_.chance(0.35)) layer.effects = effects(layer);
    if (kinds_.effects && depth < 2 && random_.chance(0.12)) makeGroup(layer, depth);
    return layer;
  }

  void makeGroup(Layer& layer, int depth) {
    layer.kind = Layer::Kind::kGroup;
    if (!layer.effects) layer.effects = LayerEffects{.box = layer.toCanvas};
    for (int i = 1 + random_.below(4); i > 0; --i) {
      Layer member = this->layer(depth + 1);
      if (member.effects) member.effects->blend = BlendMode::kNormal;
      layer.group.push_back(std::move(member));
    }
    layer.toCanvas = scaling(case_.width, case_.height);
  }

  LayerEffects effects(const Layer& layer) {
    LayerEffects made;
    made.box = layer.toCanvas;
    if (random_.chance(0.3)) {
      made.correction =
          Correction{random_.between(-0.4, 0.4), random_.between(0.3, 2),
                     random_.chance(0.5) ? 1 : random_.between(0.4, 2.5), random_.between(0, 2)};
    }
    if (random_.chance(0.2)) {
      made.chromaKey = ChromaKey{randomColor(random_), random_.between(1, 80)};
      if (random_.chance(0.5)) {
        made.chromaKey->softness = random_.between(0, 1);
        made.chromaKey->despill = random_.between(0, 1);
        made.chromaKey->choke = random_.between(0, 1);
        made.chromaKey->view = static_cast<KeyView>(random_.below(3));
      }
    }
    if (grade_ >= 0 && random_.chance(0.3)) made.grade = grade_;
    made.boxWidth = std::hypot(made.box.xx, made.box.yx);
    made.boxHeight = std::hypot(made.box.xy, made.box.yy);
    if (random_.chance(0.3)) made.cornerRadius = random_.between(1, 40);
    if (random_.chance(0.25)) {
      made.mask = random_.below(static_cast<int>(case_.images.size()));
      made.maskBox = random_.chance(0.6) ? made.box : randomPlacement(random_, case_.width, case_.height);
    }
    if (random_.chance(0.3)) made.blur = random_.between(0.1, random_.chance(0.2) ? 30 : 5);
    if (random_.chance(0.25)) {
      const double left = random_.between(0, 0.4), top = random_.between(0, 0.4);
      made.revealed = {left, top, 1 - left - random_.between(0, 0.4), 1 - top - random_.between(0, 0.4)};
    }
    if (random_.chance(0.2)) made.finish.sharpen = random_.between(0.05, 1);
    if (random_.chance(0.2)) {
      made.finish.vignette = {random_.between(0.1, 1), random_.between(0, 1), random_.between(0, 1)};
      made.vignetteBox = random_.chance(0.5) ? made.box : scaling(case_.width, case_.height);
    }
    if (random_.chance(0.2)) {
      made.finish.grain = random_.between(0.05, 1);
      made.grainSize = 1 + random_.below(kMaxGrainSize);
      made.grainSeed = static_cast<uint32_t>(random_.below(1 << 30));
    }
    if (random_.chance(0.2)) made.motion = motion(layer.toCanvas);
    if (random_.chance(0.2)) made.cut = randomPlacement(random_, case_.width, case_.height);
    if (random_.chance(0.2)) {
      for (int i = 1 + random_.below(2); i > 0; --i) {
        made.shadows.push_back({randomColor(random_), random_.chance(0.2) ? 0 : random_.between(0, 12),
                                random_.between(-20, 20), random_.chance(0.3) ? 3 : random_.between(-20, 20),
                                random_.chance(0.5) ? 1 : random_.between(0, 4)});
      }
    }
    if (random_.chance(0.2)) made.projection = projection();
    if (random_.chance(0.4)) made.blend = static_cast<BlendMode>(random_.below(13));
    return made;
  }

  // A turn about a point near the canvas, drawn at another size before.
  Homography projection() {
    const double x = random_.between(0, case_.width), y = random_.between(0, case_.height);
    const double scale = random_.chance(0.5) ? 1 : random_.between(0.5, 3);
    const double across = random_.between(-1.2, 1.2), along = random_.between(-1.2, 1.2);
    const double near = 1 / random_.between(60, 600);
    const Homography turn{{std::cos(across), 0, 0, std::sin(along) * std::sin(across), std::cos(along), 0,
                           std::cos(along) * std::sin(across) * near, -std::sin(along) * near, 1}};
    return homography(translation(x, y)) * turn * homography(translation(-x, -y)) *
           homography(scaling(1 / scale, 1 / scale));
  }

  // A straight way, in half of the cases with a turn and a change of size about the layer's corner.
  std::vector<Affine> motion(const Affine& at) {
    const double x = random_.between(-40, 40), y = random_.between(-40, 40);
    const bool turns = random_.chance(0.5);
    const double degrees = turns ? random_.between(-60, 60) : 0,
                 scale = turns ? random_.between(0.6, 1.5) : 1;
    const int copies = 2 + random_.below(kMaxMotionCopies - 1);
    std::vector<Affine> made;
    for (int i = 0; i < copies; ++i) {
      const double part = (i + 0.5) / copies - 0.5, size = 1 + (scale - 1) * part;
      made.push_back(translation(at.dx + x * part, at.dy + y * part) * rotationDegrees(degrees * part) *
                     scaling(size, size) * translation(-at.dx, -at.dy));
    }
    return made;
  }

  Random random_;
  const ListKinds kinds_;
  int grade_ = -1;  // index of the color table; -1: none
  RandomCase case_;
};

}  // namespace

RandomCase randomCase(uint64_t seed, const ListKinds& kinds) { return CaseBuilder(seed, kinds).build(); }

RandomCase randomTransition(uint64_t seed, std::string_view style, double progress) {
  return CaseBuilder(seed, {}).build(style, progress);
}

void forAllLayers(DrawList& list, const std::function<void(Layer&)>& change) {
  const std::function<void(Layer&)> visit = [&](Layer& layer) {
    for (std::shared_ptr<const DrawList>* const side : {&layer.from, &layer.to}) {
      if (*side == nullptr) continue;
      auto copy = std::make_shared<DrawList>(**side);
      forAllLayers(*copy, change);
      *side = std::move(copy);
    }
    for (Layer& member : layer.group) visit(member);
    change(layer);
  };
  for (Layer& layer : list.layers) visit(layer);
}

void removeHostEffects(Layer& layer) {
  if (layer.kind == Layer::Kind::kWaveform) layer.kind = Layer::Kind::kFill;
  if (!layer.effects) return;
  LayerEffects& effects = *layer.effects;
  effects.chromaKey.reset();
  effects.grade = -1;
  effects.finish = {};
  effects.motion.clear();
  effects.projection.reset();
  for (DropShadow& shadow : effects.shadows) shadow.intensity = 1;
}

void removeBlendMode(Layer& layer) {
  if (layer.effects) layer.effects->blend = BlendMode::kNormal;
}

Result<std::shared_ptr<Image>> drawCase(Compositor& compositor, const RandomCase& random,
                                        PixelFormat wanted) {
  std::vector<PreparedImagePtr> images;
  for (size_t i = 0; i < random.images.size(); ++i) {
    auto image = random.isVideo[i] ? compositor.prepareVideoFrame(random.images[i], 0, 0)
                                   : compositor.prepareStill(*random.images[i], 0, 0);
    if (!image.ok()) return image.error();
    images.push_back(image.take());
  }
  if (random.grade != nullptr) {
    FW_ASSIGN_OR_RETURN(PreparedImagePtr table, compositor.prepareVideoFrame(random.grade, 0, 0));
    images.push_back(std::move(table));
  }
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> frame,
                      compositor.createFrame(wanted, random.width, random.height));
  FW_RETURN_IF_ERROR(compositor.compose(random.list, images, *frame));
  return frame;
}

}  // namespace framewright
