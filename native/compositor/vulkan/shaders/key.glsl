// A key's ramp as floats in the tables: y, u, v, share of luma, inner and outer distance, reach of spill.
float rampField(uint ramp, uint index) { return uintBitsToFloat(tables[ramp + index]); }
