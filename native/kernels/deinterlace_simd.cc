#include "kernels/deinterlace.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deinterlace_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void interpolateBytes(uint8_t* dst, const FieldRows<uint8_t>& rows, size_t count, int max) {
  reference::interpolateRow(dst, rows, count, max);
}
void interpolateWords(uint16_t* dst, const FieldRows<uint16_t>& rows, size_t count, int max) {
  reference::interpolateRow(dst, rows, count, max);
}

#else

namespace hn = hwy::HWY_NAMESPACE;

namespace {

using Ints = hn::ScalableTag<int32_t>;
using Vector = hn::Vec<Ints>;

template <typename Sample>
Vector load(const Sample* from) {
  return hn::PromoteTo(Ints(), hn::LoadU(hn::Rebind<Sample, Ints>(), from));
}

Vector scaled(int factor, Vector value) { return hn::Mul(hn::Set(Ints(), factor), value); }

Vector absoluteDifference(Vector a, Vector b) { return hn::Abs(hn::Sub(a, b)); }

// Rows from sample `i` on.
template <typename Sample>
FieldRows<Sample> from(const FieldRows<Sample>& rows, size_t i) {
  return {rows.same1Up + i,     rows.same1Down + i,   rows.same3Up + i,       rows.same3Down + i,
          rows.before + i,      rows.before2Up + i,   rows.before2Down + i,   rows.before4Up + i,
          rows.before4Down + i, rows.after + i,       rows.after2Up + i,      rows.after2Down + i,
          rows.after4Up + i,    rows.after4Down + i,  rows.previous1Up + i,   rows.previous1Down + i,
          rows.next1Up + i,     rows.next1Down + i};
}

// The samples at the start of the rows; reference::interpolateRow() explains the steps.
template <typename Sample>
Vector interpolated(const FieldRows<Sample>& rows, Vector max) {
  const auto zero = hn::Zero(Ints());
  const Vector up = load(rows.same1Up), down = load(rows.same1Down);
  const Vector before = load(rows.before), after = load(rows.after);
  const Vector both = hn::Add(before, after), middle = hn::ShiftRight<1>(both);
  const Vector across = absoluteDifference(before, after);
  const Vector past = hn::ShiftRight<1>(hn::Add(absoluteDifference(load(rows.previous1Up), up),
                                                absoluteDifference(load(rows.previous1Down), down)));
  const Vector future = hn::ShiftRight<1>(
      hn::Add(absoluteDifference(load(rows.next1Up), up), absoluteDifference(load(rows.next1Down), down)));
  const Vector motion = hn::Max(hn::ShiftRight<1>(across), hn::Max(past, future));

  const Vector above2 = hn::Add(load(rows.before2Up), load(rows.after2Up));
  const Vector below2 = hn::Add(load(rows.before2Down), load(rows.after2Down));
  const Vector above = hn::Sub(hn::ShiftRight<1>(above2), up);
  const Vector below = hn::Sub(hn::ShiftRight<1>(below2), down);
  const Vector toUp = hn::Sub(middle, up), toDown = hn::Sub(middle, down);
  const Vector highest = hn::Max(hn::Max(toDown, toUp), hn::Min(above, below));
  const Vector lowest = hn::Min(hn::Min(toDown, toUp), hn::Max(above, below));
  const Vector checked = hn::Max(motion, hn::Max(lowest, hn::Neg(highest)));
  const Vector radius = hn::IfThenElse(hn::Eq(motion, zero), zero, checked);

  const Vector near = hn::Add(up, down), far = hn::Add(load(rows.same3Up), load(rows.same3Down));
  const Vector far4 = hn::Add(hn::Add(load(rows.before4Up), load(rows.after4Up)),
                              hn::Add(load(rows.before4Down), load(rows.after4Down)));
  const Vector high = hn::ShiftRight<2>(
      hn::Add(hn::Sub(scaled(kHighMiddle, both), scaled(kHighNear, hn::Add(above2, below2))),
              scaled(kHighFar, far4)));
  const Vector filtered = hn::ShiftRight<kFieldFilterBits>(
      hn::Add(high, hn::Sub(scaled(kLowNear, near), scaled(kLowFar, far))));
  const Vector vertical =
      hn::ShiftRight<kFieldFilterBits>(hn::Sub(scaled(kVerticalNear, near), scaled(kVerticalFar, far)));
  const Vector value = hn::IfThenElse(hn::Gt(absoluteDifference(up, down), across), filtered, vertical);
  const Vector limited = hn::Min(hn::Max(value, hn::Sub(middle, radius)), hn::Add(middle, radius));
  return hn::Min(hn::Max(limited, zero), max);
}

template <typename Sample>
void interpolate(Sample* dst, const FieldRows<Sample>& rows, size_t count, int max) {
  const hn::Rebind<Sample, Ints> samples;
  const size_t step = hn::Lanes(Ints());
  const Vector limit = hn::Set(Ints(), max);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    hn::StoreU(hn::DemoteTo(samples, interpolated(from(rows, i), limit)), samples, dst + i);
  }
  reference::interpolateRow(dst + i, from(rows, i), count - i, max);
}

}  // namespace

void interpolateBytes(uint8_t* dst, const FieldRows<uint8_t>& rows, size_t count, int max) {
  interpolate(dst, rows, count, max);
}
void interpolateWords(uint16_t* dst, const FieldRows<uint16_t>& rows, size_t count, int max) {
  interpolate(dst, rows, count, max);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(interpolateBytes);
HWY_EXPORT(interpolateWords);

void interpolateRow(uint8_t* dst, const FieldRows<uint8_t>& rows, size_t count, int max) {
  HWY_DYNAMIC_DISPATCH(interpolateBytes)(dst, rows, count, max);
}

void interpolateRow(uint16_t* dst, const FieldRows<uint16_t>& rows, size_t count, int max) {
  HWY_DYNAMIC_DISPATCH(interpolateWords)(dst, rows, count, max);
}

}  // namespace framewright::kernels
#endif
