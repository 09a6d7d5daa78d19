// A classic worker, which imports the package when it needs it.
onmessage = async ({ data }) => {
  try {
    const { open } = await import("./node_modules/fletching-arrow-ipc/index.js");
    const file = await open(data);
    postMessage([file.numRows, await file.rows({ where: "id = 3", as: "json" }).toArray()]);
    file.free();
  } catch (error) {
    postMessage(String(error.stack));
  }
};
