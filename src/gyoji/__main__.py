"""``python -m gyoji``: the same as the command ``gyoji``."""

from gyoji.cli import main

if __name__ == "__main__":
    main()
