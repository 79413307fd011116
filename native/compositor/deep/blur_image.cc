#include "compositor/deep/blur_image.h"

#include <algorithm>
#include <cmath>

namespace framewright {
namespace {

constexpr double kMinBlur = 0.1;
// Larger blurs are made at a reduced size, where the sampling grid is far narrower than the blur.
constexpr double kMaxFullSigma = 8;
constexpr int kAlpha = 3;  // channel of a FloatImage

std::vector<float> gaussian(double sigma) {
  const int reach = std::max(1, static_cast<int>(std::ceil(3 * sigma)));
  std::vector<float> weights;
  double total = 0;
  for (int k = -reach; k <= reach; ++k) total += std::exp(-k * k / (2 * sigma * sigma));
  for (int k = -reach; k <= reach; ++k)
    weights.push_back(static_cast<float>(std::exp(-k * k / (2 * sigma * sigma)) / total));
  return weights;
}

// Blurs along both axes; beyond the edges it is transparent.
Status blurFull(FloatImage& image, double sigma, int firstChannel) {
  const std::vector<float> weights = gaussian(sigma);
  const int reach = static_cast<int>(weights.size() / 2), width = image.width(), height = image.height();
  const auto count = static_cast<size_t>(width);
  FloatImage blurred;
  FW_RETURN_IF_ERROR(blurred.resize(width, height, image.hasAlpha()));
  std::vector<float> line(count + 2 * static_cast<size_t>(reach), 0.0f);
  for (int channel = firstChannel; channel < image.channels(); ++channel) {
    for (int y = 0; y < height; ++y) {
      std::copy_n(image.row(channel, y), count, line.begin() + reach);
      float* const out = blurred.row(channel, y);
      kernels::scaleFloats(out, line.data(), weights[0], count);
      for (size_t t = 1; t < weights.size(); ++t)
        kernels::addScaledFloats(out, line.data() + t, weights[t], count);
    }
    for (int y = 0; y < height; ++y) {
      float* const out = image.row(channel, y);
      std::fill_n(out, count, 0.0f);
      for (int k = std::max(-reach, -y); k <= std::min(reach, height - 1 - y); ++k)
        kernels::addScaledFloats(out, blurred.row(channel, y + k), weights[static_cast<size_t>(k + reach)],
                                 count);
    }
  }
  return {};
}

// The rows of a channel that is moved by a fraction of a pixel, transparent beyond the edges.
class MovedChannel {
 public:
  MovedChannel(const FloatImage& image, int channel, double x, double y)
      : image_(image),
        channel_(channel),
        left_(static_cast<int>(std::floor(-x))),
        top_(static_cast<int>(std::floor(-y))),
        across_(static_cast<float>(-x - left_)),
        down_(static_cast<float>(-y - top_)),
        line_(static_cast<size_t>(image.width()) + 1) {}

  void write(int y, float* row) {
    const auto width = static_cast<size_t>(image_.width());
    std::fill_n(row, width, 0.0f);
    addLine(y + top_, 1 - down_, row);
    addLine(y + top_ + 1, down_, row);
  }

 private:
  void addLine(int y, float weight, float* row) {
    if (y < 0 || y >= image_.height() || weight <= 0) return;
    const int width = image_.width();
    std::fill(line_.begin(), line_.end(), 0.0f);
    const int first = std::clamp(-left_, 0, width + 1), end = std::clamp(width - left_, first, width + 1);
    const float* const from = image_.row(channel_, y);
    std::copy(from + first + left_, from + end + left_, line_.begin() + first);
    kernels::addScaledFloats(row, line_.data(), (1 - across_) * weight, static_cast<size_t>(width));
    kernels::addScaledFloats(row, line_.data() + 1, across_ * weight, static_cast<size_t>(width));
  }

  const FloatImage& image_;
  const int channel_, left_, top_;
  const float across_, down_;
  std::vector<float> line_;
};

}  // namespace

Status blurImage(FloatImage& image, double sigma, int firstChannel) {
  if (sigma < kMinBlur) return {};
  if (sigma <= kMaxFullSigma) return blurFull(image, sigma, firstChannel);
  const int width = image.width(), height = image.height();
  FloatImage half;
  FW_RETURN_IF_ERROR(half.resize((width + 1) / 2, (height + 1) / 2, image.hasAlpha()));
  for (int channel = firstChannel; channel < image.channels(); ++channel) {
    for (int y = 0; y < half.height(); ++y) {
      const float* const upper = image.row(channel, 2 * y);
      const float* const lower = image.row(channel, std::min(2 * y + 1, height - 1));
      float* const out = half.row(channel, y);
      for (int x = 0; x < half.width(); ++x) {
        const int right = std::min(2 * x + 1, width - 1);
        out[x] = (upper[2 * x] + upper[right] + lower[2 * x] + lower[right]) * 0.25f;
      }
    }
  }
  // A halving and a linear doubling blur by this variance themselves, in pixels.
  constexpr double kOwnVariance = 1;
  FW_RETURN_IF_ERROR(blurImage(half, std::sqrt(sigma * sigma - kOwnVariance) / 2, firstChannel));
  for (int channel = firstChannel; channel < image.channels(); ++channel) {
    for (int y = 0; y < height; ++y) {
      const int near = y / 2, far = std::clamp(y % 2 == 0 ? near - 1 : near + 1, 0, half.height() - 1);
      const float *const here = half.row(channel, near), *const there = half.row(channel, far);
      float* const out = image.row(channel, y);
      for (int x = 0; x < width; ++x) {
        const int k = x / 2, other = std::clamp(x % 2 == 0 ? k - 1 : k + 1, 0, half.width() - 1);
        out[x] = ((here[k] * 3 + here[other]) * 3 + (there[k] * 3 + there[other])) * 0.0625f;
      }
    }
  }
  return {};
}

Status castShadows(FloatImage& image, const std::vector<DropShadow>& shadows, const CanvasCurves& curves) {
  if (shadows.empty()) return {};
  const auto width = static_cast<size_t>(image.width());
  FloatImage cast;
  std::vector<float> shape, weights(width);
  for (int y = 0; y < image.height(); ++y)
    shape.insert(shape.end(), image.row(kAlpha, y), image.row(kAlpha, y) + width);
  for (const DropShadow& shadow : shadows) {
    FW_RETURN_IF_ERROR(cast.resize(image.width(), image.height(), true));
    for (int y = 0; y < image.height(); ++y)
      std::copy_n(shape.begin() + y * static_cast<ptrdiff_t>(width), width, cast.row(kAlpha, y));
    FW_RETURN_IF_ERROR(blurImage(cast, shadow.blur, kAlpha));
    const Color& own = shadow.color;
    const kernels::FloatColor color = curves.fromSdr(Color{own.r, own.g, own.b, 255});
    const float opacity = static_cast<float>(own.a) / 255, intensity = static_cast<float>(shadow.intensity);
    MovedChannel moved(cast, kAlpha, shadow.x, shadow.y);
    for (int y = 0; y < image.height(); ++y) {
      moved.write(y, weights.data());
      const kernels::FloatRow to = image.at(0, y);
      for (size_t x = 0; x < width; ++x)
        weights[x] = std::min(weights[x] * intensity, 1.0f) * opacity * (1 - to.a[x]);
      kernels::addScaledFloats(to.r, weights.data(), color.r, width);
      kernels::addScaledFloats(to.g, weights.data(), color.g, width);
      kernels::addScaledFloats(to.b, weights.data(), color.b, width);
      kernels::addScaledFloats(to.a, weights.data(), 1, width);
    }
  }
  return {};
}

}  // namespace framewright
