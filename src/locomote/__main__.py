"""``python -m locomote``: the command line."""

from locomote.cli import main

if __name__ == "__main__":
    main()
