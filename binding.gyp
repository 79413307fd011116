{
  # For people and tools that expect node-gyp: the one definition of the build is native/CMakeLists.txt,
  # and this target only asks cmake-js to follow it. `npm run gyp` runs it.
  "targets": [
    {
      "target_name": "framewright_by_cmake",
      "type": "none",
      "actions": [
        {
          "action_name": "cmake_js",
          "message": "Building build/Release/framewright.node with cmake-js",
          "inputs": ["native/CMakeLists.txt"],
          # Never written, so that the action always runs; Ninja knows what is current.
          "outputs": ["build/.framewright-always"],
          # Each option in one word: gyp drops a list item that it has seen before.
          "action": ["node", "node_modules/cmake-js/bin/cmake-js", "build", "--directory=native", "--out=build", "--target=framewright"]
        }
      ]
    }
  ]
}
