// A KeyRamp as floats in the tables: y, u, v, luma weight, inner and outer distance.
float rampField(uint ramp, uint index) { return uintBitsToFloat(tables[ramp + index]); }
