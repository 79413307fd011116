#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/resample.h"

// Rows of a page that is rolled off. Pure; any thread.
namespace framewright::kernels {

// What is seen at a distance from the fold.
struct CurlStep {
  int32_t backShift = 0, frontShift = 0;  // along the normal to the place on the page, in 1/16 pixels
  int32_t roll = 0;                       // Q8 weight of the page; 0 beyond the roll
  int32_t shadow = 0;                     // Q8 darkness of what lies under the page
  // The back is seen as (sample * backGain + backOffset[group]) / 4096, and the front likewise.
  int32_t backGain = 0, frontGain = 0;
  std::array<int32_t, 2> backOffset{}, frontOffset{};  // luma, chroma
};
inline constexpr int kCurlStepWords = 10;
static_assert(sizeof(CurlStep) == kCurlStepWords * sizeof(int32_t));
inline constexpr int kCurlStepBits = 13;  // of positions within a step, which is half a pixel

// The page, as a plane, and how it is rolled.
struct CurledPage {
  SamplePlane plane;
  bool isChroma = false;
  int32_t width = 0, height = 0;     // of the page in pixels
  int32_t normalX = 0, normalY = 0;  // Q12, across the fold
  const CurlStep* steps = nullptr;
  int32_t wholeSteps = 0;   // the first steps, and those after each, whose `roll` is 256
  int32_t shadowReach = 1;  // around the page, in 1/256 pixels
  int32_t shadowSlope = 0;  // Q16 decrease of the shadow per 1/256 pixel
};

// Draws samples of a row: `row` has the new side, `flat` the page before it is rolled. `x`, `y`: of the first
// sample in the plane; `position`: of it in the steps. All positions are within the steps.
void curlRow(uint8_t* row, const uint8_t* flat, const CurledPage& page, int x, int y, int32_t position,
             size_t count);

// Scalar version that defines the result bit for bit.
namespace reference {
void curlRow(uint8_t* row, const uint8_t* flat, const CurledPage& page, int x, int y, int32_t position,
             size_t count);
}  // namespace reference

}  // namespace framewright::kernels
