#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/image.h"

// Charts of known colours, and colour maths by the ITU's documents that shares nothing with the engine.
namespace framewright::chart {

using Color = std::array<double, 3>;  // linear red, green, blue

struct Patch {
  std::string kind;  // "grey", "bt709", "bt2020", "skin", "mixed"
  Color nits;        // BT.2020, cd/m²
};
// 144 patches from 0 to 1000 cd/m².
std::vector<Patch> hdrPatches();

enum class Signal { kHlg, kPq };
// R'G'B' in 0..1 of BT.2020 light. HLG: for a display of 1000 cd/m².
Color encode(Signal signal, const Color& nits);
// Back to light.
Color decode(Signal signal, const Color& rgb);

// A raw RGB file (rgb48le) with 12 patches of kPatchSide per row; returns its path.
inline constexpr int kPatchSide = 32, kPatchesPerRow = 12;
std::string writeChart(const std::string& name, const std::vector<Color>& signals);
int chartHeight(size_t patches);

// Mean R'G'B' in 0..1 of a patch's centre. BT.709 (or BT.2020) limited range of 8 or 10 bits; `planes` are
// full-size 16-bit YUV 4:4:4.
Color patchOf(const Image& image, size_t patch, bool isBt2020 = false);
Color patchOf(const std::vector<uint8_t>& planes, size_t patch, size_t patches);

// BT.2020 light in cd/m² of a BT.709 signal on a display of BT.1886 with 203 cd/m² and a contrast of 1000.
Color displayedNits(const Color& signal);
// Colour difference of BT.2124 between two colours in BT.2020 cd/m².
double deltaEItp(const Color& a, const Color& b);

}  // namespace framewright::chart
