// A program of CommonJS imports the package as it does any other module of ECMAScript.
async function count(path: string): Promise<number | null> {
  const { open } = await import("fletching-arrow-ipc");
  using file = await open(path);
  return file.numRows;
}

void count;
