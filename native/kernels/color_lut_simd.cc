#include <cstring>

#include "kernels/color_lut.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/color_lut_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::convertRow;
inline void mapRow8(uint8_t* dst, uint8_t* next, const SignalRow& src, const int16_t* vertices, int first,
                    size_t count) {
  reference::mapRow(dst, next, src, vertices, first, count);
}
inline void mapRow16(uint16_t* dst, uint16_t* next, const SignalRow& src, const int16_t* vertices, int first,
                     size_t count) {
  reference::mapRow(dst, next, src, vertices, first, count);
}
inline void mapLumaRow8(uint8_t* dst, const SignalRow& src, const int16_t* luma, size_t count) {
  reference::mapLumaRow(dst, src, luma, count);
}
inline void mapLumaRow16(uint16_t* dst, const SignalRow& src, const int16_t* luma, size_t count) {
  reference::mapLumaRow(dst, src, luma, count);
}
inline void mapSampleRow(int16_t* dst, int16_t* next, const SignalRow& src, const int16_t* vertices,
                         int first, size_t count) {
  reference::mapRow(dst, next, src, vertices, first, count);
}
inline void mapLumaSampleRow(int16_t* dst, const SignalRow& src, const int16_t* luma, size_t count) {
  reference::mapLumaRow(dst, src, luma, count);
}
using reference::signalRow;

#else

namespace hn = hwy::HWY_NAMESPACE;

using Ints = hn::ScalableTag<int32_t>;
using Words = hn::Rebind<uint16_t, Ints>;
using Bytes = hn::Rebind<uint8_t, Ints>;

namespace {

auto loadWords(const uint16_t* from) { return hn::PromoteTo(Ints(), hn::LoadU(Words(), from)); }

template <class V>
void storeSignal(uint16_t* to, V sum) {
  const Ints d;
  const auto signal = hn::ShiftRight<SignalMatrix::kShift>(sum);
  const auto clamped = hn::Min(hn::Max(signal, hn::Zero(d)), hn::Set(d, kSignalRange));
  hn::StoreU(hn::DemoteTo(Words(), clamped), Words(), to);
}

// The two channels of four vertices, and the vertices' weights.
template <class V>
struct Tetrahedron {
  V vertices[4], weights[4];

  template <typename Sample, class Channel>
  V mix(Channel channel) const {
    constexpr int kShift = ColorLut::kCellShift + fractionBits<Sample>();
    auto sum = hn::Set(Ints(), 1 << (kShift - 1));
    for (int i = 0; i < 4; ++i) sum = hn::Add(sum, hn::Mul(channel(vertices[i]), weights[i]));
    return hn::ShiftRight<kShift>(sum);
  }
};

template <class V>
Tetrahedron<V> locate(V r, V g, V b, const int32_t* pairs) {
  const Ints d;
  constexpr int kRed = ColorLut::kSide * ColorLut::kSide, kGreen = ColorLut::kSide;
  const auto last = hn::Set(d, ColorLut::kSide - 2);
  const auto red = hn::Set(d, kRed), green = hn::Set(d, kGreen), blue = hn::Set(d, 1);
  const auto x = hn::Min(hn::ShiftRight<ColorLut::kCellShift>(r), last);
  const auto y = hn::Min(hn::ShiftRight<ColorLut::kCellShift>(g), last);
  const auto z = hn::Min(hn::ShiftRight<ColorLut::kCellShift>(b), last);
  const auto fr = hn::Sub(r, hn::ShiftLeft<ColorLut::kCellShift>(x));
  const auto fg = hn::Sub(g, hn::ShiftLeft<ColorLut::kCellShift>(y));
  const auto fb = hn::Sub(b, hn::ShiftLeft<ColorLut::kCellShift>(z));
  const auto high = hn::Max(fr, hn::Max(fg, fb)), low = hn::Min(fr, hn::Min(fg, fb));
  const auto middle = hn::Sub(hn::Add(fr, hn::Add(fg, fb)), hn::Add(high, low));
  const auto base = hn::Add(hn::Add(hn::Mul(x, red), hn::Mul(y, green)), z);
  const auto end = hn::Add(base, hn::Set(d, kRed + kGreen + 1));
  const auto step = hn::IfThenElse(hn::Eq(fr, high), red, hn::IfThenElse(hn::Eq(fg, high), green, blue));
  const auto rest = hn::IfThenElse(hn::Eq(fb, low), blue, hn::IfThenElse(hn::Eq(fg, low), green, red));
  const auto at = [&](auto vertex) { return hn::GatherIndex(d, pairs, hn::Add(vertex, vertex)); };
  return {{at(base), at(hn::Add(base, step)), at(hn::Sub(end, rest)), at(end)},
          {hn::Sub(hn::Set(d, ColorLut::kCell), high), hn::Sub(high, middle), hn::Sub(middle, low), low}};
}

}  // namespace

void signalRow(const SignalRow& dst, const uint16_t* y, const uint16_t* cb, const uint16_t* cr,
               const SignalMatrix& m, size_t count) {
  const Ints d;
  const size_t step = hn::Lanes(d);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto luma = hn::Mul(loadWords(y + i), hn::Set(d, m.y));
    const auto blue = loadWords(cb + i), red = loadWords(cr + i);
    const auto weigh = [&](auto sample, int32_t weight) { return hn::Mul(sample, hn::Set(d, weight)); };
    const auto with = [&](int32_t offset) { return hn::Add(luma, hn::Set(d, offset)); };
    storeSignal(dst.r + i, hn::Add(with(m.redOffset), weigh(red, m.redCr)));
    storeSignal(dst.g + i,
                hn::Add(with(m.greenOffset), hn::Add(weigh(blue, m.greenCb), weigh(red, m.greenCr))));
    storeSignal(dst.b + i, hn::Add(with(m.blueOffset), weigh(blue, m.blueCb)));
  }
  reference::signalRow({dst.r + i, dst.g + i, dst.b + i}, y + i, cb + i, cr + i, m, count - i);
}

void convertRow(const SignalRow& row, const SignalCurves& curves, size_t count) {
  const hn::RebindToFloat<Ints> d;
  const size_t step = hn::Lanes(d);
  const auto zero = hn::Zero(d), one = hn::Set(d, 1.0f), half = hn::Set(d, 0.5f);
  const auto steps = hn::Set(d, static_cast<float>(SignalCurves::kRootSteps));
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto light = [&](const uint16_t* from) {
      return hn::GatherIndex(d, curves.toLight, loadWords(from + i));
    };
    const auto r = light(row.r), g = light(row.g), b = light(row.b);
    const auto store = [&](uint16_t* to, const float* weights) {
      const auto warm = hn::Add(hn::Mul(hn::Set(d, weights[0]), r), hn::Mul(hn::Set(d, weights[1]), g));
      const auto sum = hn::Add(warm, hn::Mul(hn::Set(d, weights[2]), b));
      const auto root = hn::Sqrt(hn::Min(hn::Max(sum, zero), one));
      const auto index = hn::ConvertTo(Ints(), hn::Add(hn::Mul(root, steps), half));
      hn::StoreU(hn::DemoteTo(Words(), hn::GatherIndex(Ints(), curves.fromRoot, index)), Words(), to + i);
    };
    store(row.r, curves.matrix[0]);
    store(row.g, curves.matrix[1]);
    store(row.b, curves.matrix[2]);
  }
  reference::convertRow({row.r + i, row.g + i, row.b + i}, curves, count - i);
}

namespace {

template <typename Sample>
void mapSamples(Sample* dst, Sample* next, const SignalRow& src, const int16_t* vertices, int first,
                size_t count) {
  using Samples = hn::Rebind<Sample, Ints>;
  const Ints d;
  const size_t step = hn::Lanes(d);
  // A pair of channels per gathered word, the first one in the lower half.
  const auto* pairs = reinterpret_cast<const int32_t*>(vertices) + first / 2;
  const auto lower = [&](auto pair) { return hn::And(pair, hn::Set(d, 0xFFFF)); };
  const auto upper = [&](auto pair) { return hn::ShiftRight<16>(pair); };
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto found = locate(loadWords(src.r + i), loadWords(src.g + i), loadWords(src.b + i), pairs);
    hn::StoreU(hn::DemoteTo(Samples(), found.template mix<Sample>(lower)), Samples(), dst + i);
    if (next != nullptr)
      hn::StoreU(hn::DemoteTo(Samples(), found.template mix<Sample>(upper)), Samples(), next + i);
  }
  reference::mapRow(dst + i, next != nullptr ? next + i : nullptr, {src.r + i, src.g + i, src.b + i},
                    vertices, first, count - i);
}

}  // namespace

void mapRow8(uint8_t* dst, uint8_t* next, const SignalRow& src, const int16_t* vertices, int first,
             size_t count) {
  mapSamples(dst, next, src, vertices, first, count);
}

void mapRow16(uint16_t* dst, uint16_t* next, const SignalRow& src, const int16_t* vertices, int first,
              size_t count) {
  mapSamples(dst, next, src, vertices, first, count);
}

void mapSampleRow(int16_t* dst, int16_t* next, const SignalRow& src, const int16_t* vertices, int first,
                  size_t count) {
  mapSamples(dst, next, src, vertices, first, count);
}

namespace {

// Of two 16-bit values in each lane of both, the sum of the products.
hn::Vec<Ints> pairSum(hn::Vec<Ints> values, hn::Vec<Ints> weights) {
#if HWY_TARGET == HWY_AVX2
  return hn::Vec<Ints>{_mm256_madd_epi16(values.raw, weights.raw)};
#elif HWY_TARGET <= HWY_AVX3
  return hn::Vec<Ints>{_mm512_madd_epi16(values.raw, weights.raw)};
#else
  const auto low = hn::Set(Ints(), 0xFFFF);
  return hn::Add(hn::Mul(hn::And(values, low), hn::And(weights, low)),
                 hn::Mul(hn::ShiftRight<16>(values), hn::ShiftRight<16>(weights)));
#endif
}

// Pairs of values at offsets in bytes.
hn::Vec<Ints> gatherPairs(const int16_t* table, hn::Vec<Ints> offsets) {
  const Ints d;
#if HWY_TARGET <= HWY_AVX2
  return hn::GatherOffset(d, reinterpret_cast<const int32_t*>(table), offsets);
#else
  HWY_ALIGN int32_t at[hn::MaxLanes(d)], pairs[hn::MaxLanes(d)];
  hn::Store(offsets, d, at);
  for (size_t i = 0; i < hn::Lanes(d); ++i)
    std::memcpy(&pairs[i], reinterpret_cast<const char*>(table) + at[i], sizeof(pairs[i]));
  return hn::Load(d, pairs);
#endif
}

// The weights of two vertices along blue, which share a gathered word.
template <class V>
struct Edge {
  V near, far;
};

// A tetrahedron has vertices on three of the four edges of its cell along blue: those of the cell's first
// vertex, of its neighbour in the direction of red or green, and of its last vertex.
template <typename Sample>
void mapLuma(Sample* dst, const SignalRow& src, const int16_t* luma, size_t count) {
  constexpr int kRed = ColorLut::kSide * ColorLut::kSide, kGreen = ColorLut::kSide, kBytes = sizeof(int16_t);
  constexpr int kShift = ColorLut::kCellShift + fractionBits<Sample>();
  const hn::RepartitionToNarrow<Ints> ds;
  const hn::RebindToUnsigned<decltype(ds)> d;
  const hn::Rebind<Sample, decltype(d)> dSamples;
  const Ints di;
  const size_t step = hn::Lanes(d);
  const auto last = hn::Set(d, uint16_t{ColorLut::kSide - 2}), cell = hn::Set(d, uint16_t{ColorLut::kCell});
  const auto zero = hn::Zero(d);
  const auto strides = hn::Set(di, kBytes * (kRed | kGreen << 16)), half = hn::Set(di, 1 << (kShift - 1));
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto r = hn::LoadU(d, src.r + i), g = hn::LoadU(d, src.g + i), b = hn::LoadU(d, src.b + i);
    const auto x = hn::Min(hn::ShiftRight<ColorLut::kCellShift>(r), last);
    const auto y = hn::Min(hn::ShiftRight<ColorLut::kCellShift>(g), last);
    const auto z = hn::Min(hn::ShiftRight<ColorLut::kCellShift>(b), last);
    const auto fr = hn::Sub(r, hn::ShiftLeft<ColorLut::kCellShift>(x));
    const auto fg = hn::Sub(g, hn::ShiftLeft<ColorLut::kCellShift>(y));
    const auto fb = hn::Sub(b, hn::ShiftLeft<ColorLut::kCellShift>(z));
    const auto large = hn::Max(fr, fg), small = hn::Min(fr, fg);
    const auto neighbour = hn::IfThenElse(hn::Eq(large, fr), hn::Set(d, uint16_t{kBytes * kRed}),
                                          hn::Set(d, uint16_t{kBytes * kGreen}));
    const auto high = hn::Max(fb, large), middle = hn::Min(hn::Max(fb, small), large),
               low = hn::Min(fb, small);
    const Edge<decltype(r)> edges[3] = {{hn::Sub(cell, high), hn::Sub(high, large)},
                                        {hn::Sub(large, middle), hn::Sub(middle, small)},
                                        {hn::Sub(small, low), low}};
    const auto mix = [&](auto interleave) {
      const auto wide = [&](auto value) { return hn::BitCast(di, interleave(value, zero)); };
      const auto blue = wide(z);
      const auto base = hn::Add(pairSum(hn::BitCast(di, interleave(x, y)), strides), hn::Add(blue, blue));
      const auto part = [&](int edge, const int16_t* table, auto offsets) {
        return pairSum(gatherPairs(table, offsets),
                       hn::BitCast(di, interleave(edges[edge].near, edges[edge].far)));
      };
      const auto first = hn::Add(half, part(0, luma, base));
      const auto next = part(1, luma, hn::Add(base, wide(neighbour)));
      return hn::ShiftRight<kShift>(hn::Add(hn::Add(first, next), part(2, luma + kRed + kGreen, base)));
    };
    const auto lower = mix([&](auto even, auto odd) { return hn::InterleaveLower(even, odd); });
    const auto upper = mix([&](auto even, auto odd) { return hn::InterleaveUpper(d, even, odd); });
    // In blocks of 128 bits, as they were interleaved.
    const auto levels = hn::ReorderDemote2To(ds, lower, upper);
    if constexpr (sizeof(Sample) == 1) {
      hn::StoreU(hn::DemoteTo(dSamples, levels), dSamples, dst + i);
    } else {
      hn::StoreU(hn::BitCast(dSamples, levels), dSamples, dst + i);
    }
  }
  reference::mapLumaRow(dst + i, {src.r + i, src.g + i, src.b + i}, luma, count - i);
}

}  // namespace

void mapLumaRow8(uint8_t* dst, const SignalRow& src, const int16_t* luma, size_t count) {
  mapLuma(dst, src, luma, count);
}

void mapLumaRow16(uint16_t* dst, const SignalRow& src, const int16_t* luma, size_t count) {
  mapLuma(dst, src, luma, count);
}

void mapLumaSampleRow(int16_t* dst, const SignalRow& src, const int16_t* luma, size_t count) {
  mapLuma(dst, src, luma, count);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(signalRow);
HWY_EXPORT(convertRow);
HWY_EXPORT(mapRow8);
HWY_EXPORT(mapRow16);
HWY_EXPORT(mapLumaRow8);
HWY_EXPORT(mapLumaRow16);
HWY_EXPORT(mapSampleRow);
HWY_EXPORT(mapLumaSampleRow);

void signalRow(const SignalRow& dst, const uint16_t* y, const uint16_t* cb, const uint16_t* cr,
               const SignalMatrix& matrix, size_t count) {
  HWY_DYNAMIC_DISPATCH(signalRow)(dst, y, cb, cr, matrix, count);
}

void convertRow(const SignalRow& row, const SignalCurves& curves, size_t count) {
  HWY_DYNAMIC_DISPATCH(convertRow)(row, curves, count);
}

void mapRow(uint8_t* dst, uint8_t* next, const SignalRow& src, const int16_t* vertices, int first,
            size_t count) {
  HWY_DYNAMIC_DISPATCH(mapRow8)(dst, next, src, vertices, first, count);
}

void mapRow(uint16_t* dst, uint16_t* next, const SignalRow& src, const int16_t* vertices, int first,
            size_t count) {
  HWY_DYNAMIC_DISPATCH(mapRow16)(dst, next, src, vertices, first, count);
}

void mapLumaRow(uint8_t* dst, const SignalRow& src, const int16_t* luma, size_t count) {
  HWY_DYNAMIC_DISPATCH(mapLumaRow8)(dst, src, luma, count);
}

void mapLumaRow(uint16_t* dst, const SignalRow& src, const int16_t* luma, size_t count) {
  HWY_DYNAMIC_DISPATCH(mapLumaRow16)(dst, src, luma, count);
}

void mapRow(int16_t* dst, int16_t* next, const SignalRow& src, const int16_t* vertices, int first,
            size_t count) {
  HWY_DYNAMIC_DISPATCH(mapSampleRow)(dst, next, src, vertices, first, count);
}

void mapLumaRow(int16_t* dst, const SignalRow& src, const int16_t* luma, size_t count) {
  HWY_DYNAMIC_DISPATCH(mapLumaSampleRow)(dst, src, luma, count);
}

}  // namespace framewright::kernels
#endif
