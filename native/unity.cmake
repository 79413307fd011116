# FRAMEWRIGHT_UNITY compiles several sources of a library at a time, which speeds up clean builds. Excluded are sources
# whose anonymous names collide with another file of their library (compiler error: "redefinition"), and the kernels,
# which include themselves once per instruction set.
option(FRAMEWRIGHT_UNITY "Compile several sources at a time" OFF)
if(NOT FRAMEWRIGHT_UNITY)
  return()
endif()

set(CMAKE_UNITY_BUILD ON)
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)
file(GLOB ALONE CONFIGURE_DEPENDS kernels/*.cc kernels/blend/*.cc kernels/deep/*.cc kernels/mean/*.cc kernels/ycbcr/*.cc libav/encode/video/*.cc libav/encode/video/svt_av1/*.cc libav/hardware/decode/*.cc x264/x264.cc x264/frame_planner.cc)
list(APPEND ALONE audio/true_peak.cc compositor/plan/image_sampling.cc compositor/plan/effects/key_ramp.cc
  compositor/cpu/effects/key/chroma_key.cc compositor/plan/transitions/transition_styles.cc
  compositor/vulkan/transitions/transition_passes.cc compositor/vulkan/passes/effect_passes.cc encoder_bench/y4m_file.cc
  libav/encode/audio/audio_encoder.cc libav/hardware/interop/vaapi_surfaces.cc libav/hardware/interop/video_processor.cc libav/encode/audio/speech_file.cc formats/sprite_file.cc
  x264/skip_frame_inserter.cc render/audio/render_audio.cc speech/flite.cc)
set_source_files_properties(${ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# Reading these headers takes a third of the time of an average source. Optimised builds do without: GCC 12 then warns of
# copies in the standard library that it otherwise knows to be its own.
function(precompile_standard_headers)
  foreach(library ${ARGN})
    target_precompile_headers(${library} PRIVATE <algorithm> <array> <atomic> <cmath> <functional> <map> <memory> <mutex> <optional> <span> <string> <vector>)
  endforeach()
endfunction()
