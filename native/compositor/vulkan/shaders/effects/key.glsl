// A KeyRamp as floats in the tables: y, u, v, luma weight, inner and outer distance, spill reach.
float rampField(uint ramp, uint index) { return uintBitsToFloat(tables[ramp + index]); }
