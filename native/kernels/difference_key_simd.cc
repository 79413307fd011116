#include "kernels/blend/blend.h"
#include "kernels/difference_key.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/difference_key_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::keyChromaRow;
using reference::keyLumaRow;
using reference::mixRow;

#else

namespace hn = hwy::HWY_NAMESPACE;

namespace {

using Floats = hn::ScalableTag<float>;
using Ints = hn::RebindToSigned<Floats>;
using Bytes = hn::Rebind<uint8_t, Floats>;
using Words = hn::Rebind<uint16_t, Floats>;
using Vector = hn::Vec<Floats>;

Vector load(const uint8_t* from) {
  return hn::ConvertTo(Floats(), hn::PromoteTo(Ints(), hn::LoadU(Bytes(), from)));
}
Vector all(float value) { return hn::Set(Floats(), value); }
Vector within(Vector value, Vector lowest, Vector highest) {
  return hn::Min(hn::Max(value, lowest), highest);
}
void store(Vector value, uint8_t* to) {
  hn::StoreU(hn::DemoteTo(Bytes(), hn::NearestInt(value)), Bytes(), to);
}

Vector mixOf(Vector u, Vector v, const DifferenceKey& key) {
  const auto du = hn::Sub(u, all(128)), dv = hn::Sub(v, all(128));
  const auto unitU = all(key.unitU), unitV = all(key.unitV);
  const auto along = hn::Add(hn::Mul(du, unitU), hn::Mul(dv, unitV));
  const auto across = hn::Sub(hn::Mul(dv, unitU), hn::Mul(du, unitV));
  return hn::Mul(hn::Sub(along, hn::Mul(all(key.wedge), hn::Abs(across))), all(key.perChroma));
}

Vector visibleOf(Vector share, const DifferenceKey& key) {
  const auto hidden = within(hn::Mul(hn::Sub(share, all(key.low)), all(key.steepness)), all(0), all(1));
  const auto remaining = hn::Sub(hn::Sub(all(1), hidden), all(key.choke));
  return within(hn::Mul(remaining, all(key.chokeScale)), all(0), all(1));
}

Vector takenOf(Vector share, const DifferenceKey& key) {
  return hn::Min(hn::Mul(within(share, all(0), all(1)), all(key.despill)), all(kMaxScreen));
}

Vector before(Vector value, float screen, Vector taken, Vector level) {
  return hn::Div(hn::Sub(value, hn::Mul(hn::Mul(taken, level), all(screen))), hn::Sub(all(1), taken));
}

}  // namespace

void mixRow(float* mix, const uint8_t* u, const uint8_t* v, const DifferenceKey& key, size_t count) {
  const size_t step = hn::Lanes(Floats());
  size_t i = 0;
  for (; i + step <= count; i += step) hn::StoreU(mixOf(load(u + i), load(v + i), key), Floats(), mix + i);
  reference::mixRow(mix + i, u + i, v + i, key, count - i);
}

void keyLumaRow(uint16_t* hidden, uint8_t* y, const uint8_t* u, const uint8_t* v, const float* level,
                const DifferenceKey& key, size_t count) {
  const Floats d;
  const size_t step = hn::Lanes(d);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto light = hn::LoadU(d, level + i);
    const auto share = hn::Div(mixOf(load(u + i), load(v + i), key), light);
    const auto visible = visibleOf(share, key), taken = takenOf(share, key);
    if (key.showsMatte || key.showsSpill) {
      hn::StoreU(hn::Zero(Words()), Words(), hidden + i);
      const auto grey = hn::Add(hn::Mul(key.showsMatte ? visible : taken, all(219)), all(16));
      store(within(grey, all(16), all(235)), y + i);
      continue;
    }
    const auto weight = hn::NearestInt(hn::Mul(hn::Sub(all(1), visible), all(kFullWeight)));
    hn::StoreU(hn::DemoteTo(Words(), weight), Words(), hidden + i);
    const auto luma = load(y + i);
    const auto remaining = hn::Add(before(hn::Sub(luma, all(16)), key.luma, taken, light), all(16));
    store(within(remaining, hn::Min(luma, all(16)), hn::Max(luma, all(235))), y + i);
  }
  reference::keyLumaRow(hidden + i, y + i, u + i, v + i, level + i, key, count - i);
}

void keyChromaRow(uint8_t* u, uint8_t* v, const float* level, const DifferenceKey& key, size_t count) {
  const Floats d;
  const size_t step = hn::Lanes(d);
  size_t i = 0;
  if (!key.showsMatte && !key.showsSpill) {
    for (; i + step <= count; i += step) {
      const auto light = hn::LoadU(d, level + i), fromU = load(u + i), fromV = load(v + i);
      const auto taken = takenOf(hn::Div(mixOf(fromU, fromV, key), light), key);
      const auto remaining = [&](Vector from, float screen) {
        const auto value = hn::Add(before(hn::Sub(from, all(128)), screen, taken, light), all(128));
        return within(value, all(0), all(255));
      };
      store(remaining(fromU, key.u), u + i);
      store(remaining(fromV, key.v), v + i);
    }
  }
  reference::keyChromaRow(u + i, v + i, level + i, key, count - i);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(mixRow);
HWY_EXPORT(keyLumaRow);
HWY_EXPORT(keyChromaRow);

void mixRow(float* mix, const uint8_t* u, const uint8_t* v, const DifferenceKey& key, size_t count) {
  HWY_DYNAMIC_DISPATCH(mixRow)(mix, u, v, key, count);
}

void keyLumaRow(uint16_t* hidden, uint8_t* y, const uint8_t* u, const uint8_t* v, const float* level,
                const DifferenceKey& key, size_t count) {
  HWY_DYNAMIC_DISPATCH(keyLumaRow)(hidden, y, u, v, level, key, count);
}

void keyChromaRow(uint8_t* u, uint8_t* v, const float* level, const DifferenceKey& key, size_t count) {
  HWY_DYNAMIC_DISPATCH(keyChromaRow)(u, v, level, key, count);
}

}  // namespace framewright::kernels
#endif
