#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/difference_key.h"
#include "kernels/straight.h"

// Chroma keys on rows of straight working samples (plane_rows.h), with the parameters and results of
// kernels/difference_key.h and kernels/straight.h. The results do not depend on the instruction set. Pure;
// any thread.
namespace framewright::kernels {

// Weights of what stays visible are Q15 with kFullWeight as 1.
void mixSampleRow(float* mix, const int16_t* cb, const int16_t* cr, const DifferenceKey& key, size_t count);
void keyLumaSamples(uint16_t* visible, int16_t* luma, const int16_t* cb, const int16_t* cr,
                    const float* level, const DifferenceKey& key, size_t count);
void keyChromaSamples(int16_t* cb, int16_t* cr, const float* level, const DifferenceKey& key, size_t count);
void keyByDistance(uint16_t* visible, const int16_t* luma, const int16_t* cb, const int16_t* cr,
                   const KeyRamp& ramp, size_t count);

}  // namespace framewright::kernels
