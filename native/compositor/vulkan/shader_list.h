// The shaders by the names of their files. CMake reads this list too: one per line.
FRAMEWRIGHT_SHADER(stack)
FRAMEWRIGHT_SHADER(halve)
