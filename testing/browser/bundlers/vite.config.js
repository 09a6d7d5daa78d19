// As the README of the package says.
export default {
  base: "./",
  optimizeDeps: { exclude: ["fletching-arrow-ipc"] },
};
