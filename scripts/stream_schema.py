"""Write docs/stream-schema.json: what a client of a stream may say, from the tables by which it is checked."""

import json
from pathlib import Path

from locomote.stream._messages import schema

if __name__ == "__main__":
    path = Path(__file__).resolve().parents[1] / "docs" / "stream-schema.json"
    path.write_text(json.dumps(schema(), indent=1) + "\n")
    print(path)
