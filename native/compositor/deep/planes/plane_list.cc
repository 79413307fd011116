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

constexpr int16_t kBlackLumaSample = 64 << kernels::kCodeFraction,
                  kBlackChromaSample = 512 << kernels::kCodeFraction;

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
  if (layer == nullptr) return;
  const std::array rows{layer->rows(PlaneGroup::kLuma), layer->rows(PlaneGroup::kChroma)};
  layers_.push_back({std::move(layer), rows});
}

int PlaneList::width(PlaneGroup group) const { return samplesAlong(canvas_.width, group); }

bool PlaneList::findActive(PlaneGroup group, int y) {
  active_.clear();
  bool hidesAll = false;
  // From the top down to what hides everything.
  for (size_t i = layers_.size(); i > 0 && !hidesAll; --i) {
    const Entry& entry = layers_[i - 1];
    const SampleRange rows = entry.rows[static_cast<size_t>(group)];
    if (y < rows.first || y >= rows.end) continue;
    const SampleRange span = entry.layer->span(group, y);
    if (span.end <= span.first) continue;
    active_.push_back({entry.layer.get(), span});
    hidesAll = span.first == 0 && span.end == width(group) && entry.layer->hides(group, y);
  }
  std::reverse(active_.begin(), active_.end());
  return hidesAll;
}

void PlaneList::drawActive(PlaneGroup group, int y, size_t first, const SampleRow& to) {
  for (size_t i = first; i < active_.size(); ++i) active_[i].layer->draw(group, y, to);
}

void PlaneList::draw(PlaneGroup group, int y, const SampleRow& to) {
  if (!findActive(group, y)) {
    for (size_t i = 0; i < coloursOf(group); ++i)
      std::fill_n(to[i], width(group), group == PlaneGroup::kLuma ? kBlackLumaSample : kBlackChromaSample);
  }
  drawActive(group, y, 0, to);
}

void PlaneList::writeRow(Image& frame, PlaneGroup group, int y, bool isDithered) {
  const SampleRow row{rows_[0].data(), rows_[1].data()};
  const auto thresholds = kernels::sampleThresholds(y, isDithered);
  const auto codesOf = [&](size_t colour) {
    return reinterpret_cast<uint16_t*>(rowOf(frame.plane(planeOf(group, colour)), y));
  };
  const bool hidesAll = findActive(group, y);
  const auto copied = hidesAll ? active_[0].layer->codes(group, y) : std::nullopt;
  if (!copied) {
    draw(group, y, row);
    for (size_t i = 0; i < coloursOf(group); ++i)
      kernels::roundSamples(codesOf(i), row[i], thresholds, 0, static_cast<size_t>(width(group)));
    return;
  }
  // What is between the first and the last sample that layers above change.
  SampleRange drawn{width(group), 0};
  for (size_t i = 1; i < active_.size(); ++i)
    drawn = {std::min(drawn.first, active_[i].span.first), std::max(drawn.end, active_[i].span.end)};
  if (active_.size() == 1) drawn = {0, 0};
  const auto count = static_cast<size_t>(drawn.end - drawn.first);
  for (size_t i = 0; i < coloursOf(group); ++i) {
    const int16_t* const from = (*copied)[i];
    std::memcpy(codesOf(i), from, static_cast<size_t>(drawn.first) * sizeof(uint16_t));
    std::memcpy(codesOf(i) + drawn.end, from + drawn.end,
                static_cast<size_t>(width(group) - drawn.end) * sizeof(uint16_t));
    kernels::samplesOfCodes(row[i] + drawn.first, from + drawn.first, count);
  }
  if (count == 0) return;
  drawActive(group, y, 1, row);
  for (size_t i = 0; i < coloursOf(group); ++i) {
    kernels::roundSamples(codesOf(i) + drawn.first, row[i] + drawn.first, thresholds,
                          static_cast<size_t>(drawn.first), count);
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
      std::copy_n(row[i], width(group), to);
    }
  });
}

}  // namespace framewright
