#include "libav/hardware/surface_rows.h"

namespace framewright {
namespace {

template <class Sample, int kShift>
void copyRow(const uint8_t* from, uint8_t* to, int count) {
  const auto* const samples = reinterpret_cast<const Sample*>(from);
  auto* const written = reinterpret_cast<Sample*>(to);
  for (int i = 0; i < count; ++i) written[i] = static_cast<Sample>(samples[i] >> kShift);
}

template <class Sample, int kShift>
void deinterleaveRow(const uint8_t* from, uint8_t* first, uint8_t* second, int count) {
  const auto* const pairs = reinterpret_cast<const Sample*>(from);
  auto *const one = reinterpret_cast<Sample*>(first), *const other = reinterpret_cast<Sample*>(second);
  for (int i = 0; i < count; ++i) {
    one[i] = static_cast<Sample>(pairs[2 * i] >> kShift);
    other[i] = static_cast<Sample>(pairs[2 * i + 1] >> kShift);
  }
}

template <class Sample, int kShift>
void copyRows(const AVFrame& from, const Plane (&to)[3]) {
  for (int y = 0; y < to[0].height; ++y)
    copyRow<Sample, kShift>(from.data[0] + y * from.linesize[0], to[0].data + y * to[0].stride, to[0].width);
  for (int y = 0; y < to[1].height; ++y) {
    deinterleaveRow<Sample, kShift>(from.data[1] + y * from.linesize[1], to[1].data + y * to[1].stride,
                                    to[2].data + y * to[2].stride, to[1].width);
  }
}

}  // namespace

void copySurface(const AVFrame& downloaded, int bits, const Plane (&planes)[3]) {
  bits == 8 ? copyRows<uint8_t, 0>(downloaded, planes) : copyRows<uint16_t, 6>(downloaded, planes);
}

}  // namespace framewright
