#include "compositor/deep/planes/plane_list.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "compositor/deep/planes/plane_coverage.h"
#include "core/planes.h"
#include "kernels/deep/plane_filters.h"
#include "kernels/deep/plane_rows.h"

namespace framewright {
namespace {

constexpr int16_t kBlackLuma = 64 << kernels::kCodeFraction, kBlackChroma = 512 << kernels::kCodeFraction;

// Calls visit(group, y) in the order in which layers are drawn.
template <typename Visit>
void forRows(int top, int bottom, Visit visit) {
  for (int y = top; y < bottom; y += 2) {
    visit(PlaneGroup::kLuma, y);
    if (y + 1 < bottom) visit(PlaneGroup::kLuma, y + 1);
    visit(PlaneGroup::kChroma, y / 2);
  }
}

}  // namespace

PlaneList::PlaneList(const CanvasSize& canvas) : canvas_(canvas) {
  // Filters write whole blocks.
  for (auto& row : rows_) row.resize(static_cast<size_t>(canvas.width + kernels::kSampleBlock));
}

void PlaneList::add(std::unique_ptr<PlaneLayer> layer) {
  if (layer != nullptr) layers_.push_back(std::move(layer));
}

int PlaneList::width(PlaneGroup group) const { return samplesAlong(canvas_.width, group); }

int PlaneList::lowestVisible(PlaneGroup group, int y) const {
  for (size_t i = layers_.size(); i > 0; --i) {
    const SampleRange span = layers_[i - 1]->span(group, y);
    if (span.first == 0 && span.end == width(group) && layers_[i - 1]->hides(group, y))
      return static_cast<int>(i) - 1;
  }
  return -1;
}

SampleRange PlaneList::changed(PlaneGroup group, int y, size_t first) const {
  SampleRange all{width(group), 0};
  for (size_t i = first; i < layers_.size(); ++i) {
    const SampleRange span = layers_[i]->span(group, y);
    if (span.end <= span.first) continue;
    all = {std::min(all.first, span.first), std::max(all.end, span.end)};
  }
  return all;
}

void PlaneList::draw(PlaneGroup group, int y, const SampleRow& to) {
  const int lowest = lowestVisible(group, y);
  if (lowest < 0) {
    for (size_t i = 0; i < coloursOf(group); ++i)
      std::fill_n(to[i], width(group), group == PlaneGroup::kLuma ? kBlackLuma : kBlackChroma);
  }
  for (size_t i = static_cast<size_t>(std::max(lowest, 0)); i < layers_.size(); ++i) {
    const SampleRange span = layers_[i]->span(group, y);
    if (span.end > span.first) layers_[i]->draw(group, y, to);
  }
}

void PlaneList::writeRow(Image& frame, PlaneGroup group, int y, bool isDithered) {
  const SampleRow row{rows_[0].data(), rows_[1].data()};
  const auto thresholds = kernels::sampleThresholds(y, isDithered);
  const auto codesOf = [&](size_t colour) {
    return reinterpret_cast<uint16_t*>(rowOf(frame.plane(planeOf(group, colour)), y));
  };
  const int lowest = lowestVisible(group, y);
  const auto copied = lowest < 0 ? std::nullopt : layers_[static_cast<size_t>(lowest)]->codes(group, y);
  if (!copied) {
    draw(group, y, row);
    for (size_t i = 0; i < coloursOf(group); ++i)
      kernels::roundSamples(codesOf(i), row[i], thresholds, 0, static_cast<size_t>(width(group)));
    return;
  }
  const auto above = static_cast<size_t>(lowest) + 1;
  const SampleRange drawn = changed(group, y, above);
  const auto copy = [&](size_t colour, int first, int end) {
    if (end > first)
      std::memcpy(codesOf(colour) + first, (*copied)[colour] + first,
                  static_cast<size_t>(end - first) * sizeof(uint16_t));
  };
  const bool isCopied = drawn.end <= drawn.first;
  for (size_t i = 0; i < coloursOf(group); ++i) {
    copy(i, 0, isCopied ? width(group) : drawn.first);
    if (isCopied) continue;
    copy(i, drawn.end, width(group));
    kernels::samplesOfCodes(row[i] + drawn.first, (*copied)[i] + drawn.first,
                            static_cast<size_t>(drawn.end - drawn.first));
  }
  if (isCopied) return;
  for (size_t i = above; i < layers_.size(); ++i) {
    const SampleRange span = layers_[i]->span(group, y);
    if (span.end > span.first) layers_[i]->draw(group, y, row);
  }
  for (size_t i = 0; i < coloursOf(group); ++i) {
    kernels::roundSamples(codesOf(i) + drawn.first, row[i] + drawn.first, thresholds,
                          static_cast<size_t>(drawn.first), static_cast<size_t>(drawn.end - drawn.first));
  }
}

void PlaneList::write(Image& frame, bool isDithered) {
  forRows(0, canvas_.height, [&](PlaneGroup group, int y) { writeRow(frame, group, y, isDithered); });
}

void PlaneList::writeSamples(Image& frame, int top, int bottom) {
  const SampleRow row{rows_[0].data(), rows_[1].data()};
  forRows(top, bottom, [&](PlaneGroup group, int y) {
    draw(group, y, row);
    for (size_t i = 0; i < coloursOf(group); ++i) {
      auto* const to = reinterpret_cast<int16_t*>(rowOf(frame.plane(planeOf(group, i)), y));
      std::transform(row[i], row[i] + width(group), to,
                     [](int16_t sample) { return std::max<int16_t>(sample, 0); });
    }
  });
}

}  // namespace framewright
