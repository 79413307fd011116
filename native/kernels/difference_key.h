#pragma once

#include <cstddef>
#include <cstdint>

// A colour difference key in Y'CbCr, on straight samples, row by row. A sample is taken for a mix of the
// screen and of what is before it; the screen's share is how far its chroma lies in the direction of the
// screen's. What is before it is found by taking that share of the screen's colour away. Pure; any thread.
namespace framewright::kernels {

struct DifferenceKey {
  float luma = 0, u = 0, v = 0;  // the screen's colour, from black
  float unitU = 0, unitV = 0;    // direction of its chroma
  float perChroma = 1;           // 1 / length of its chroma
  float wedge = 1;               // how much chroma in other directions counts against the screen
  float low = 0,
        steepness = 1;  // shares of the screen up to `low` are visible; from low + 1 / steepness hidden
  float choke = 0, chokeScale = 1;  // visible shares up to `choke` are hidden; 1 / (1 - choke)
  float despill = 1;                // share of the screen's colour that is taken away
  bool showsMatte = false, showsSpill = false;
};
// A share of the screen that is never exceeded where its colour is taken away.
inline constexpr float kMaxScreen = 0.97f;

// The screen's share of each sample, where the screen is as bright as the key's colour; may be negative.
void mixRow(float* mix, const uint8_t* u, const uint8_t* v, const DifferenceKey& key, size_t count);
// Keys a row of luma. `level`: brightness of the screen at each sample. `hidden` receives Q15 weights;
// kFullWeight hides the sample completely.
void keyLumaRow(uint16_t* hidden, uint8_t* y, const uint8_t* u, const uint8_t* v, const float* level,
                const DifferenceKey& key, size_t count);
// Takes the screen's colour from a row of chroma.
void keyChromaRow(uint8_t* u, uint8_t* v, const float* level, const DifferenceKey& key, size_t count);

// Scalar versions that define the results bit for bit.
namespace reference {
void mixRow(float* mix, const uint8_t* u, const uint8_t* v, const DifferenceKey& key, size_t count);
void keyLumaRow(uint16_t* hidden, uint8_t* y, const uint8_t* u, const uint8_t* v, const float* level,
                const DifferenceKey& key, size_t count);
void keyChromaRow(uint8_t* u, uint8_t* v, const float* level, const DifferenceKey& key, size_t count);
}  // namespace reference

}  // namespace framewright::kernels
